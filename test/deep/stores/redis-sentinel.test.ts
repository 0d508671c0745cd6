import t from 'tap'
import { build } from '../../helper.js'
import { assistantOf } from '../../integration/oauth/assistant.js'
import { patiently, promised } from '../../integration/redis/patience.js'
import { caughtUp, startSentinels } from '../../integration/redis/servers.js'

t.test('DESIGN §4 Sentinel: the primary dies, 503 until the replica is promoted, nothing twice', async t => {
  const { primary, replica, promoted, url } = await startSentinels(t)
  const app = await build(t, { env: { REDIS_URL: url } })
  const { assistant } = await assistantOf(app)
  const usedCode = await assistant.code()
  const first = (await assistant.redeem(usedCode)).json()
  const second = (await assistant.refresh(first.refresh_token)).json()
  const freshCode = await assistant.code()
  const page = await assistant.consentPage()
  await caughtUp(primary, replica)

  await primary.kill()
  t.match(await promised(t, () => assistant.refresh(second.refresh_token)), {
    statusCode: 503,
    headers: { 'retry-after': String },
  })
  t.match(await promised(t, () => assistant.browser.get('/connections')), { statusCode: 503 })
  t.match(await promised(t, () => assistant.browser.submit('/login', '/login')), { statusCode: 503 })
  t.match(await promised(t, () => app.inject('/readyz')), { statusCode: 503 })
  t.equal((await app.inject('/healthz')).statusCode, 200)

  const { response, refused } = await patiently(t, () => assistant.refresh(second.refresh_token))
  t.ok(refused > 0)
  t.equal(response.statusCode, 200, 'with the promoted one')
  await promoted()
  t.ok(await assistant.works(response.json().access_token))
  t.equal((await assistant.refresh(second.refresh_token)).statusCode, 400, 'used once')
  t.equal((await assistant.redeem(usedCode)).statusCode, 400, 'a code used before stays used')
  t.equal((await assistant.redeem(freshCode)).statusCode, 200, 'one that waited can be used')
  t.equal((await assistant.redeem(freshCode)).statusCode, 400, 'once')
  const approved = await assistant.decide(page, { decision: 'approve' })
  t.equal(approved.statusCode, 303, 'a consent page that waited can be answered')
})
