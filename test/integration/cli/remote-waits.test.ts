import t from 'tap'
import { openServer } from './remote.js'
import { openVault } from './vault.js'

t.test('a server that asks to wait is waited for', async t => {
  const { server, machine, folder, write } = await openVault(
    t,
    await openServer(t, { CALLS_PER_SECOND: '10' }),
  )
  for (let at = 0; at < 16; at++) write(`Note ${at}.md`, `The number is ${at}.`)
  const [connection] = JSON.parse((await server.there('connection', 'list', '--json')).stdout)
  // As if it had just used up its requests, and more.
  server.app.rateLimiter.charge(connection.id, 110)
  const imported = await machine.svc('safe', 'import', 'Notes', folder)
  t.match(imported, { code: 0, stdout: '1\n', stderr: /16 things, 0 relations, 16 passages into/ })
  t.ok(server.app.rateLimiter.sweep().get(connection.id), 'it was asked to wait')
})
