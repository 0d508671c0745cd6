import t from 'tap'
import { redisAuthorizationRequestStore } from '../../../oauth/stores/authorization-request.redis.js'
import { openRedis } from '../../../storage/redis/redis-client.js'
import { build } from '../../helper.js'
import { type Server, startRedis, until } from '../redis/servers.js'
import { Assistant } from './assistant.js'

/** Lets a stalled server go on. Resolves when it has worked on what arrived before, and `client` is connected. */
async function wake(server: Server, client: { status: string } | null) {
  server.wake()
  await server.ask('ping')
  await until(() => client?.status === 'ready')
}

t.test('DESIGN §4 a request answered with 503 while Redis stalled is not carried out later', async t => {
  const server = await startRedis(t)
  const app = await build(t, { env: { REDIS_URL: server.url } })
  const assistant = await Assistant.registered(app)
  await assistant.browser.signIn('ann@a.example')
  const code = await assistant.code()

  server.stall()
  t.match(await assistant.redeem(code), { statusCode: 503, headers: { 'retry-after': String } })
  await wake(server, app.redis)
  const redeemed = await assistant.redeem(code)
  t.equal(redeemed.statusCode, 200, 'the code can still be redeemed')

  const { refresh_token } = redeemed.json()
  server.stall()
  t.equal((await assistant.refresh(refresh_token)).statusCode, 503)
  await wake(server, app.redis)
  t.equal((await assistant.refresh(refresh_token)).statusCode, 200, 'and the refresh token still be used')
})

t.test('C3 a decision answered with 503 while Redis stalled has no effect and can be repeated', async t => {
  const server = await startRedis(t)
  const redis = await openRedis(server.url)
  t.teardown(() => redis.disconnect())
  const store = redisAuthorizationRequestStore(redis, Date.now)
  const expiresAt = Date.now() + 60_000
  t.equal(await store.isDecided('one'), false)
  server.stall()
  await t.rejects(store.decide('one', expiresAt), /Command timed out/)
  await wake(server, redis)
  t.equal(await store.decide('one', expiresAt), true)
  t.equal(await store.decide('one', expiresAt), false, 'once')
})
