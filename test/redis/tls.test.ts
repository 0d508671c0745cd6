import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startTlsRedis } from './servers.js'

t.test('rediss:// speaks TLS, with the password, and trusts whom Node trusts', async t => {
  const { port, caFile } = await startTlsRedis(t, '--requirepass', 'pass word')
  const url = (host: string, password = 'pass%20word') => `rediss://:${password}@${host}:${port}`
  const answers = { NODE_EXTRA_CA_CERTS: caFile }
  t.equal(await ask(url('localhost'), answers), 'PONG')
  t.match(await ask(url('localhost'), {}), /no Redis answers there/, 'a certificate of nobody we know')
  t.match(await ask(url('localhost', 'other'), answers), /no Redis answers there/, 'a wrong password')
  t.match(await ask(url('127.0.0.1'), answers), /no Redis answers there/, 'a certificate of somebody else')
})

/** In a process of its own, because Node reads NODE_EXTRA_CA_CERTS when it starts. */
async function ask(url: string, env: Record<string, string>): Promise<string> {
  const child = fork(fileURLToPath(new URL('ping.ts', import.meta.url)), [url], {
    execArgv: ['--import', 'tsx'],
    env: { PATH: process.env.PATH, ...env },
  })
  const [answer] = await once(child, 'message')
  return String(answer)
}
