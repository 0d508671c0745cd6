import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import t from 'tap'
import { build } from '../../helper.js'
import { Browser, PASSWORD } from '../pages/browser.js'

t.test('nothing waits for a silent server, and a stop drops what it has not taken', async t => {
  const sockets: Socket[] = []
  const silent = createServer(socket => sockets.push(socket.resume())).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const { port } = silent.address() as { port: number }
  const lines: string[] = []
  const app = await build(t, {
    log: { write: line => void lines.push(line) },
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'safes@safes.example' },
  })
  await app.accounts.add('ann@example.org', PASSWORD)
  const browser = new Browser(app)
  const asked = await browser.submit('/forgot', '/forgot', { email: 'ann@example.org' })
  t.equal(asked.statusCode, 303)
  if (sockets.length === 0) await once(silent, 'connection')
  t.equal((await browser.signIn('ann@example.org')).statusCode, 303)
  await app.close()
  t.match(lines.join(''), /"dropped":2,.*mail was dropped/)
})
