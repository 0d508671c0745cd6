import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openBrowser } from '../../../cli/remote/browser.js'
import { dataDir } from '../../data-dir.js'
import { runHere } from '../../integration/cli/svc.js'
import { openHostileServer } from './hostile-server.js'

const FOREIGN = [
  'file:///bin/sh',
  'smb://evil.example/share',
  'vscode://file/etc/passwd',
  'ms-msdt:/id PCWDiagnostic',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://evil.example/authorize',
  'http://evil.example/authorize',
  'http://127.0.0.1:9/authorize',
  '//evil.example/authorize',
  '-version',
]

/** A person with a desktop whose browser records the addresses it is asked to open. */
function openDesktop(t: Test) {
  const home = dataDir(t)
  const [bin, opened] = [join(home, 'bin'), join(home, 'opened')]
  mkdirSync(bin)
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" >> ${opened}\n`, { mode: 0o755 })
  const env = { PATH: `${bin}:${process.env.PATH}`, DISPLAY: ':0', XDG_CONFIG_HOME: join(home, 'config') }
  return { home, env, opened: () => (existsSync(opened) ? readFileSync(opened, 'utf8') : '') }
}

t.test('svc login opens and asks no address but those of the server (RFC 8414 §2, ADR 57)', async t => {
  const { home, env, opened } = openDesktop(t)
  const server = await openHostileServer(t)
  const endpoints = ['authorization', 'token', 'registration', 'revocation'].map(name => `${name}_endpoint`)
  const hostile = [...FOREIGN, `blob:${server.url}/x`, server.url.replace('//', '//me:secret@')]
  for (const endpoint of endpoints) {
    for (const address of hostile) {
      server.metadata = { [endpoint]: address }
      const outcome = await runHere(home, ['login', server.url], '', env)
      t.match(outcome, { code: 1, stderr: /names an address that is not its own|did not answer as expected/ })
    }
  }
  t.notMatch(server.asked.join('\n'), 'POST', 'nothing was registered or sent')
  t.equal(opened(), '')
})

t.test('the issuer is the server itself (RFC 9728 §2)', async t => {
  const { home, env } = openDesktop(t)
  const [server, other] = [await openHostileServer(t), await openHostileServer(t)]
  for (const issuer of [other.url, 'https://evil.example', 'file:///etc/passwd', '']) {
    server.answers.set('/.well-known/oauth-protected-resource/api/v1', {
      resource: `${server.url}/api/v1`,
      authorization_servers: [issuer],
    })
    t.match(await runHere(home, ['login', server.url], '', env), { code: 1, stderr: /not its own/ })
  }
  t.same(other.asked, [])
})

t.test('openBrowser starts no program for anything but a page', async t => {
  const { env, opened } = openDesktop(t)
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    for (const address of FOREIGN.filter(each => !each.startsWith('https:') && !each.includes('127.0.0.1')))
      t.throws(() => openBrowser(address, env, platform), address)
  openBrowser('https://safes.example/oauth/authorize?a=b&c=d', env, 'linux')
  while (opened() === '') await new Promise(resolve => setTimeout(resolve, 10))
  t.equal(opened(), 'https://safes.example/oauth/authorize?a=b&c=d\n')
})
