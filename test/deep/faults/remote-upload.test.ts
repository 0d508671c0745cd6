import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openBuiltServer, openMachine } from '../../integration/cli/remote.js'
import { people } from '../../integration/safes/open.js'
import { openCutProxy } from './cut-proxy.js'

const MB = 1_000_000

t.test('an upload of 30 MB goes on after a broken connection, and after kill -9 of the server', async t => {
  const { proxy, server, machine, path } = await open(t)
  let sent = 0
  proxy.at(11 * MB, () => {
    proxy.cut()
    proxy.at(7 * MB, () => {
      sent = 18 * MB
      void server.restart()
    })
  })
  const imported = await machine.svc('safe', 'import', 'Notes', path)
  t.match(imported, { code: 0, stdout: '1\n', stderr: /21 things, 20 relations, 0 passages into/ })
  t.equal(sent, 18 * MB, 'both happened')
  t.equal((await server.there('safe', 'import', 'Notes', path)).stdout, '1\n', 'every byte arrived once')
})

t.test('Ctrl-C while a file is sent leaves nothing', async t => {
  const { proxy, server, machine, path } = await open(t)
  const started = await machine.start('safe', 'import', 'Notes', path)
  proxy.at(11 * MB, () => started.child.kill('SIGINT'))
  t.match(await started.ended, { code: null, stdout: '' })
  while ((await server.there('safe', 'imports', 'Notes')).stdout !== '') await pause(50)
  t.match((await server.there('safe', 'list')).stdout, /Notes\t0\t0\t0/)
})

/** A server behind a proxy, somebody who is signed in to it, and a file of 30 MB. */
async function open(t: Test) {
  const proxy = await openCutProxy(t)
  const server = await openBuiltServer(t, proxy.url)
  proxy.to = server.port
  const machine = openMachine(t)
  await machine.login(server.url)
  const path = join(machine.home, 'large.nt')
  writeFileSync(path, `${people(20)}${`# ${'x'.repeat(997)}\n`.repeat(30_000)}`)
  return { proxy, server, machine, path }
}
