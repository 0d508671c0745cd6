import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { redisAuthorizationRequestStore } from '../../../oauth/stores/authorization-request.redis.js'
import { openRedis } from '../../../storage/redis/redis-client.js'
import { freePort } from '../../free-port.js'
import { build } from '../../helper.js'

/** A separate Redis server, because the test stops it. */
async function startRedis(t: Test): Promise<{ url: string; pid: number }> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn('redis-server', args, { stdio: 'ignore' })
  t.teardown(() => server.kill('SIGKILL'))
  const probe = new Redis(port, '127.0.0.1', { retryStrategy: () => 20 }).on('error', () => {})
  await probe.ping()
  probe.disconnect()
  return { url: `redis://127.0.0.1:${port}`, pid: server.pid ?? 0 }
}

t.test('DESIGN §4 a request answered with 503 while Redis stalled is not carried out later', async t => {
  const { url, pid } = await startRedis(t)
  const app = await build(t, { env: { REDIS_URL: url } })
  const owner = await app.accounts.add('ada@safes.example', 'a password for the tests')
  const registered = await app.inject({
    method: 'POST',
    url: '/oauth/register',
    payload: { redirect_uris: ['http://localhost/cb'] },
  })
  const { client_id } = registered.json()
  const code = await approve()
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: 'http://localhost/cb',
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    client_id,
  }
  const token = (fields: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })

  process.kill(pid, 'SIGSTOP')
  const away = await token(form)
  t.match(away, { statusCode: 503, headers: { 'retry-after': String } })
  process.kill(pid, 'SIGCONT')
  await sleep(500)
  const redeemed = await token(form)
  t.equal(redeemed.statusCode, 200, 'the code can still be redeemed')

  const refresh = { grant_type: 'refresh_token', refresh_token: redeemed.json().refresh_token, client_id }
  process.kill(pid, 'SIGSTOP')
  t.equal((await token(refresh)).statusCode, 503)
  process.kill(pid, 'SIGCONT')
  await sleep(500)
  t.equal((await token(refresh)).statusCode, 200, 'and the refresh token still be used')

  async function approve(): Promise<string> {
    const { oauth } = app
    const parameters = {
      response_type: 'code',
      client_id,
      redirect_uri: 'http://localhost/cb',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }
    const read = await oauth.authorization.read(parameters, '')
    if (!('request' in read)) throw read.error
    const sealed = oauth.authorization.seal(read.request, 'browser')
    const request = await oauth.authorization.find(sealed, ['browser'])
    const choice = { safeIds: [], only: false, scope: ['vault:read'] }
    const location = await oauth.authorization.approve(request, owner.id, choice)
    return new URL(location).searchParams.get('code') as string
  }
})

t.test('C3 a decision answered with 503 while Redis stalled has no effect and can be repeated', async t => {
  const { url, pid } = await startRedis(t)
  const redis = await openRedis(url)
  t.teardown(() => redis.disconnect())
  const store = redisAuthorizationRequestStore(redis, Date.now)
  const expiresAt = Date.now() + 60_000
  t.equal(await store.isDecided('one'), false)
  process.kill(pid, 'SIGSTOP')
  await t.rejects(store.decide('one', expiresAt), /Command timed out/)
  process.kill(pid, 'SIGCONT')
  await sleep(500)
  t.equal(await store.decide('one', expiresAt), true)
  t.equal(await store.decide('one', expiresAt), false, 'once')
})
