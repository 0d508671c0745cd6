import t, { type Test } from 'tap'
import { redisAuthorizationRequestStore } from '../../../domain/oauth/stores/authorization-request.redis.js'
import { openRedis } from '../../../platform/storage/redis/redis-client.js'
import { build, redisUrl } from '../../helper.js'
import { openProxy } from '../../stallable-proxy.js'
import { until } from '../../until.js'
import { startRedis } from '../redis/servers.js'
import { Assistant } from './assistant.js'

/** An assistant of a service that keeps what expires in a Redis. */
async function assistantOver(t: Test, redisUrl: string): Promise<Assistant> {
  const assistant = await Assistant.registered(await build(t, { env: { REDIS_URL: redisUrl } }))
  await assistant.browser.signIn('ann@a.example')
  return assistant
}

t.test('C3 what was answered with 503 while Redis stalled is not carried out later (DESIGN §4)', async t => {
  const server = await startRedis(t)
  // Each over a connection of its own: what one sends waits until what it sent before has failed, for two seconds.
  const redeeming = await assistantOver(t, `${server.url}/1`)
  const refreshing = await assistantOver(t, `${server.url}/2`)
  const redis = await openRedis(server.url)
  t.teardown(() => redis.disconnect())
  const store = redisAuthorizationRequestStore(redis, Date.now)
  const code = await redeeming.code()
  const { refresh_token } = await refreshing.connect()
  const expiresAt = Date.now() + 60_000
  t.equal(await store.isDecided('one'), false)

  server.stall()
  const [redeemed, refreshed] = await Promise.all([
    redeeming.redeem(code),
    refreshing.refresh(refresh_token),
    t.rejects(store.decide('one', expiresAt), /Command timed out/),
  ])
  t.match(redeemed, { statusCode: 503, headers: { 'retry-after': String } })
  t.equal(refreshed.statusCode, 503)

  server.wake()
  // Until it has worked on what arrived before, and all are connected.
  await server.ask('ping')
  for (const client of [redeeming.app.redis, refreshing.app.redis, redis])
    await until(() => client?.status === 'ready')
  t.equal((await redeeming.redeem(code)).statusCode, 200, 'the code can still be redeemed')
  t.equal((await refreshing.refresh(refresh_token)).statusCode, 200, 'the refresh token still be used')
  t.equal(await store.decide('one', expiresAt), true, 'and the decision repeated')
  t.equal(await store.decide('one', expiresAt), false, 'once')
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
