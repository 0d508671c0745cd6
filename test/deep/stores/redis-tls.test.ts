import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { makeTls, startCluster, startSentinels, startTlsRedis } from '../../integration/redis/servers.js'

t.test('rediss:// uses TLS, with the password, and the certificates that Node trusts', async t => {
  const tls = makeTls(t, 'DNS:localhost')
  const port = await startTlsRedis(t, tls, '--requirepass', 'pass word')
  const url = (host: string, password = 'pass%20word') => `rediss://:${password}@${host}:${port}`
  const answers = { NODE_EXTRA_CA_CERTS: tls.caFile }
  t.equal(await ask(url('localhost'), answers), 'PONG')
  t.match(await ask(url('localhost'), {}), /no Redis answers there/, 'a certificate of an unknown issuer')
  t.match(await ask(url('localhost', 'other'), answers), /Redis refuses the password/, 'a wrong password')
  t.match(await ask(url('127.0.0.1'), answers), /no Redis answers there/, 'a certificate for another host')
})

t.test('rediss+cluster:// and rediss+sentinel:// use TLS with every server', async t => {
  const tls = makeTls(t, 'DNS:localhost,IP:127.0.0.1')
  const [, second] = await startCluster(t, 0, tls)
  const { url } = await startSentinels(t, tls)
  const addresses = [`rediss+cluster://localhost:${second?.port}`, url.replace('redis', 'rediss')]
  const [strangers, plain] = await Promise.all([
    Promise.all(addresses.map(address => ask(address, {}))),
    Promise.all(addresses.map(address => ask(address.replace('rediss', 'redis'), {}))),
  ])
  for (const [i, address] of addresses.entries()) {
    t.equal(await ask(address, { NODE_EXTRA_CA_CERTS: tls.caFile }), 'PONG', address)
    t.match(strangers[i], /no Redis answers there/, 'certificates of an unknown issuer')
    t.match(plain[i], /no Redis answers there/, 'without TLS')
  }
})

/** In a process of its own, because Node reads NODE_EXTRA_CA_CERTS when it starts. */
async function ask(url: string, env: Record<string, string>): Promise<string> {
  const child = fork(fileURLToPath(new URL('ping.js', import.meta.url)), [url], {
    env: { PATH: process.env.PATH, ...env },
  })
  const [answer] = await once(child, 'message')
  return String(answer)
}
