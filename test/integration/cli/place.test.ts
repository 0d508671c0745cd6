import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { serve } from '../../e2e/web-server.js'
import { freePort } from '../../free-port.js'
import { openMachine, openServer } from './remote.js'

const pem = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url))

t.test('commands that only exist beside the service say so', async t => {
  const server = await openServer(t)
  const machine = openMachine(t)
  await machine.login(server.url)
  for (const command of [
    ['safe', 'add', 'Notes', '--owner', 'ada@safes.example'],
    ['account', 'list'],
  ])
    t.match(await machine.svc(...command), {
      code: 1,
      stdout: '',
      stderr: /works only on the machine of the service, not on http.*--local/,
    })
  t.throws(() => statSync(machine.env.DATA_DIR ?? ''), { code: 'ENOENT' }, 'and make no installation here')
  const nothing = { code: 1, stdout: '', stderr: /no installation/ }
  t.match(await machine.svc('account', 'list', '--local'), nothing)
  await machine.svc('migrate')
  t.match(await machine.svc('safe', 'list', '--local'), { code: 0, stdout: '' })
  t.match(await machine.svc('safe', 'list', '--server', server.url), { code: 0, stdout: /Notes/ })
  t.match(await machine.svc('safe', 'list', '--server', 'https://other.example'), {
    code: 1,
    stderr: /not signed in at https:\/\/other\.example/,
  })
  t.match(await machine.svc('safe', 'list', '--local', '--server', server.url), {
    code: 2,
    stderr: /exclude/,
  })
})

t.test('every failure to reach a server is a sentence', async t => {
  const machine = openMachine(t)
  const login = async (address: string, sentence: RegExp) =>
    t.match(await machine.svc('login', address), { code: 1, stdout: '', stderr: sentence }, address)
  await login('http://safes.example.com', /^A sign-in over http could be read by others\./)
  await login('ftp://safes.example.com', /is not the address of a server/)
  await login(
    `127.0.0.1:${await freePort()}`,
    /^Nothing answers at 127\.0\.0\.1:\d+\. Is the service running\?\n$/,
  )
  await login('https://nowhere.invalid', /^There is no computer called nowhere\.invalid|cannot be looked up/)
  await login(await serve(t, (_, response) => void response.writeHead(404).end()), /^There is no svc at/)
  const moved = await serve(t, (_, response) => {
    response.writeHead(301, { location: 'https://new.example.com/' }).end()
  })
  await login(moved, /redirects to https:\/\/new\.example\.com\. Sign in there/)
  const plain = await serve(t, (_, response) => void response.end('hello'))
  await login(plain.replace('http:', 'https:'), /does not speak https/)
  const tls = createServer({ key: pem('server.key'), cert: pem('server') })
  await new Promise<void>(resolve => tls.listen(0, '127.0.0.1', resolve))
  t.teardown(() => tls.close())
  await login(`https://127.0.0.1:${(tls.address() as AddressInfo).port}`, /does not trust the certificate/)
})
