import t, { type Test } from 'tap'
import { RedisThrottleStore } from '../../../domain/accounts/stores/sign-in-state.redis.js'
import { redisAuthorizationRequestStore } from '../../../domain/oauth/stores/authorization-request.redis.js'
import { RedisGrantStore } from '../../../domain/oauth/stores/grant.redis.js'
import { openRedis } from '../../../platform/storage/redis/redis-client.js'
import { build, redisUrl } from '../../helper.js'
import { openProxy } from '../../stallable-proxy.js'
import { until } from '../../until.js'
import { startRedis } from '../redis/servers.js'
import { Assistant } from './assistant.js'

/** An assistant of a service that keeps expiring data in Redis. */
async function assistantOver(t: Test, redisUrl: string): Promise<Assistant> {
  const assistant = await Assistant.registered(await build(t, { env: { REDIS_URL: redisUrl } }))
  await assistant.browser.signIn('ann@a.example')
  return assistant
}

t.test('C3 what was answered with 503 while Redis stalled is not carried out later (DESIGN §4)', async t => {
  const server = await startRedis(t)
  // Each over its own connection: a command waits until the one before it has failed, for two seconds.
  const redeeming = await assistantOver(t, `${server.url}/1`)
  const refreshing = await assistantOver(t, `${server.url}/2`)
  const redis = await openRedis(server.url)
  t.teardown(() => redis.disconnect())
  const store = redisAuthorizationRequestStore(redis, Date.now)
  const code = await redeeming.code()
  const { refresh_token } = await refreshing.connect()
  const throttle = new RedisThrottleStore(redis)
  const grants = new RedisGrantStore(redis)
  const id = 'c'.repeat(22)
  await redis.set(`oauth:{${id}}:facts`, '{}', 'PX', 60_000)
  const expiresAt = Date.now() + 60_000
  t.equal(await store.isDecided('one'), false)

  server.stall()
  const [redeemed, refreshed] = await Promise.all([
    redeeming.redeem(code),
    refreshing.refresh(refresh_token),
    t.rejects(store.decide('one', 'a', expiresAt), /Command timed out/),
    t.rejects(throttle.take('passkey:one', 1, 60_000), /Command timed out/),
    t.rejects(grants.select(id, 'late', null, 0), /Command timed out/),
  ])
  t.match(redeemed, { statusCode: 503, headers: { 'retry-after': String } })
  t.equal(refreshed.statusCode, 503)

  server.wake()
  // Until it has processed all earlier commands, and all are connected.
  await server.ask('ping')
  for (const client of [redeeming.app.redis, refreshing.app.redis, redis])
    await until(() => client?.status === 'ready')
  t.equal((await redeeming.redeem(code)).statusCode, 200, 'the code can still be redeemed')
  t.equal((await refreshing.refresh(refresh_token)).statusCode, 200, 'the refresh token still be used')
  t.equal(await store.decide('one', 'b', expiresAt), true, 'and the decision repeated')
  t.equal(await store.decide('one', 'c', expiresAt), false, 'once')
  t.match(await throttle.take('passkey:one', 1, 60_000), { isAllowed: true, count: 1 }, 'nothing was counted')
  t.equal(await redis.get(`oauth:{${id}}:selection`), null, 'nor selected')
})

t.test(
  'T16 a rotation that Redis carried out, with a reply that came too late, is repeated (issue 53)',
  async t => {
    const url = new URL(await redisUrl())
    const line = await openProxy(t, Number(url.port))
    const assistant = await assistantOver(t, Object.assign(url, { port: String(line.port) }).href)
    const { refresh_token } = await assistant.connect()
    line.stallAt(refresh_token.split('_')[2] ?? '', 'after')
    t.match(await assistant.refresh(refresh_token), { statusCode: 503, headers: { 'retry-after': '2' } })
    line.release()
    await until(() => assistant.app.redis?.status === 'ready')
    const { access_token } = (await assistant.refresh(refresh_token)).json()
    t.ok(await assistant.works(access_token))
    t.match((await assistant.refresh(refresh_token)).json(), { error: 'invalid_grant' })
  },
)

t.test('C3 an approval that could not be carried out may be repeated (issue 53)', async t => {
  const url = new URL(await redisUrl())
  const line = await openProxy(t, Number(url.port))
  const assistant = await assistantOver(t, Object.assign(url, { port: String(line.port) }).href)
  const page = await assistant.consentPage()
  line.stallAt(':facts', 'before')
  const refused = await assistant.decide(page, { decision: 'approve' })
  t.match(refused, { statusCode: 503, headers: { 'retry-after': '2' } })
  line.release()
  await until(async () => (await assistant.browser.get(page)).statusCode === 200)
  const { headers } = await assistant.decide(page, { decision: 'approve' })
  const code = new URL(String(headers.location)).searchParams.get('code') ?? ''
  t.equal((await assistant.redeem(code)).statusCode, 200)
  t.equal((await assistant.decide(page, { decision: 'approve' })).statusCode, 400, 'once')
})

t.test('what Redis receives a second time has no further effect (issue 53)', async t => {
  const redis = await openRedis(await redisUrl())
  t.teardown(() => redis.disconnect())
  new RedisThrottleStore(redis)
  const grants = new RedisGrantStore(redis)
  const take = () => redis.throttleTake('throttle:x', 5, 60_000, 'attempt', Date.now() + 60_000)
  t.match(
    [await take(), await take()],
    [
      [1, 1],
      [1, 1],
    ],
  )
  await redis.throttleTake('throttle:x', 5, 60_000, 'other', Date.now() + 60_000)
  for (let i = 0; i < 2; i++) await redis.throttleRelease('throttle:x', 'release')
  t.match(await redis.get('throttle:x'), /^1 /)
  const id = 'd'.repeat(22)
  const now = Date.now()
  const session = {
    expiresAt: now + 60_000,
    protocolVersion: '2025-03-26',
    selectedSafeId: null,
    showsApps: false,
  }
  for (let i = 0; i < 100; i++) await grants.openSession(id, { ...session, hash: `h${i}` }, now)
  await grants.openSession(id, { ...session, hash: 'h99' }, now)
  t.equal(await redis.exists(`oauth:{${id}}:session:h0`), 1, 'no session is displaced')
})

t.test('scripts that Redis has forgotten are sent again (issue 53)', async t => {
  const server = await startRedis(t)
  const assistant = await assistantOver(t, server.url)
  const forget = () => server.ask('script', 'flush')
  for (const round of ['first', 'second']) {
    await forget()
    const code = await assistant.code()
    await forget()
    const { access_token, refresh_token } = (await assistant.redeem(code)).json()
    await forget()
    const refreshed = (await assistant.refresh(refresh_token)).json()
    await forget()
    t.ok(await assistant.works(access_token), round)
    const { oauth } = assistant.app
    const access = await oauth.authenticate(refreshed.access_token, null)
    if (!access) throw new Error('no access')
    await forget()
    await oauth.sessions.open(access, { protocolVersion: '2025-03-26', showsApps: false })
    await forget()
    await oauth.sessions.select(access, 'safe')
    await forget()
    await assistant.browser.signIn('ann@a.example')
    await forget()
    t.equal((await assistant.register({ redirect_uris: ['http://localhost/cb'] })).statusCode, 201)
  }
})
