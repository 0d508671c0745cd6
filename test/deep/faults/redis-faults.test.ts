import t from 'tap'
import { build } from '../../helper.js'
import { assistantOf } from '../../integration/oauth/assistant.js'
import { patiently } from '../../integration/redis/patience.js'
import { type Server, startRedis } from '../../integration/redis/servers.js'
import { connectUsers, type User, underLoad } from '../../integration/redis/user.js'
import { openProxy } from '../../stallable-proxy.js'
import { until } from '../../until.js'

/** The server starts again once each user has been refused. */
const killAndStart = (server: Server, users: User[]) => async () => {
  await server.kill()
  await everyoneIsRefused(users)
  server.start()
}
function everyoneIsRefused(users: User[]): Promise<void> {
  const before = users.map(({ refused }) => refused)
  return until(() => users.every(({ refused }, i) => refused > (before[i] ?? 0)))
}
const pinged = (users: User[]) => new Set(users.flatMap(({ statuses }) => [...statuses]))

t.test('Redis killed under load and started with its data: nothing acknowledged is lost', async t => {
  const server = await startRedis(t, '--appendonly', 'yes', '--appendfsync', 'always')
  const app = await build(t, { env: { REDIS_URL: server.url } })
  const { assistant, users } = await connectUsers(t, app)
  const code = await assistant.code()
  await underLoad(t, users, killAndStart(server, users))
  t.equal((await patiently(t, () => app.inject('/readyz'))).response.statusCode, 200)
  for (const user of users) t.equal(await user.ping(), 200, 'the last token that was given works')
  t.notOk(pinged(users).has(401), 'as did all before')
  t.equal((await assistant.redeem(code)).statusCode, 200)
})

t.test('Redis killed under load and started empty: no old token works, new ones do', async t => {
  const server = await startRedis(t)
  const app = await build(t, { env: { REDIS_URL: server.url } })
  const { assistant, users } = await connectUsers(t, app)
  const code = await assistant.code()
  await underLoad(t, users, killAndStart(server, users))
  t.equal((await patiently(t, () => app.inject('/readyz'))).response.statusCode, 200)
  for (const user of users) {
    t.equal(await user.ping(), 401)
    t.equal((await assistant.refresh(user.refreshToken)).json().error, 'invalid_grant')
  }
  t.equal((await assistant.redeem(code)).json().error, 'invalid_grant')
  t.equal((await assistant.browser.get('/connections')).statusCode, 303, 'nobody is signed in')
  await assistant.browser.signIn('ann@a.example')
  t.ok(await assistant.works((await assistant.connect()).access_token))
})

t.test('the connection to Redis stalls under load, and recovers', async t => {
  const server = await startRedis(t)
  const line = await openProxy(t, server.port)
  const app = await build(t, { env: { REDIS_URL: `redis://127.0.0.1:${line.port}` } })
  const { assistant, users } = await connectUsers(t, app)

  await underLoad(t, users, async () => {
    line.stall()
    // Nobody waits for the store: every request gets an answer while it is silent.
    await everyoneIsRefused(users)
    line.release()
  })
  t.equal((await patiently(t, () => app.inject('/readyz'))).response.statusCode, 200)
  for (const user of users) t.equal(await user.ping(), 200)
  t.notOk(pinged(users).has(401))

  const { refresh_token } = await assistant.connect()
  line.stall('forever')
  const { response, refused } = await patiently(t, () => assistant.refresh(refresh_token))
  t.ok(refused > 0)
  t.equal(response.statusCode, 200, 'by a new line, without a restart; what got 503 had not happened')
})

t.test(
  'Redis started with a file that is a moment old: what was used up and revoked since stays so',
  async t => {
    const server = await startRedis(t)
    const app = await build(t, { env: { REDIS_URL: server.url } })
    const { assistant } = await assistantOf(app)
    const cookies = new Map(assistant.browser.cookies)
    const code = await assistant.code()
    const rotated = await assistant.connect()
    const ended = await assistant.connect()
    const oneToken = await assistant.connect()
    await server.ask('save')

    const redeemed = (await assistant.redeem(code)).json()
    const next = (await assistant.refresh(rotated.refresh_token)).json()
    const last = (await assistant.refresh(next.refresh_token)).json()
    await assistant.revoke(ended.refresh_token)
    await assistant.revoke(oneToken.access_token)
    await assistant.browser.submit('/', '/logout')
    await server.kill()
    server.start()
    t.equal((await patiently(t, () => app.inject('/readyz'))).response.statusCode, 200)

    t.notOk(await assistant.works(ended.access_token), 'a revoked connection')
    t.notOk(await assistant.works(oneToken.access_token), 'a revoked access token')
    assistant.browser.cookies.clear()
    for (const [name, value] of cookies) assistant.browser.cookies.set(name, value)
    t.equal((await assistant.browser.get('/connections')).statusCode, 303, 'a login session that was ended')
    t.equal((await assistant.redeem(code)).statusCode, 400, 'a used code')
    t.equal((await assistant.refresh(rotated.refresh_token)).statusCode, 400, 'a used refresh token')
    t.ok(await assistant.works(last.access_token), 'a new access token')
    t.equal((await assistant.refresh(last.refresh_token)).statusCode, 200, 'a new refresh token')
    t.equal((await assistant.refresh(redeemed.refresh_token)).statusCode, 200, 'that of the code, too')
  },
)

t.test('a Redis that rejects writes causes 503, not 500', async t => {
  const server = await startRedis(t)
  const app = await build(t, { env: { REDIS_URL: server.url } })
  const { assistant } = await assistantOf(app)
  const { refresh_token } = await assistant.connect()
  const states: [string, string, string][] = [
    ['maxmemory', '1', '0'],
    ['min-replicas-to-write', '1', '0'],
  ]
  for (const [setting, bad, good] of states) {
    const page = await assistant.consentPage()
    const code = await assistant.code()
    await server.ask('config', 'set', setting, bad)
    const answers = [
      await assistant.refresh(refresh_token),
      await assistant.redeem(code),
      await assistant.decide(page, { decision: 'approve' }),
      await assistant.register({ redirect_uris: ['http://localhost/cb'] }),
    ]
    for (const answer of answers)
      t.match(answer, { statusCode: 503, headers: { 'retry-after': String } }, setting)
    t.equal((await assistant.authorize()).statusCode, 302, 'nothing is stored before the decision (ADR 5)')
    await server.ask('config', 'set', setting, good)
    t.equal((await assistant.redeem(code)).statusCode, 200, 'it had not been used')
  }
})
