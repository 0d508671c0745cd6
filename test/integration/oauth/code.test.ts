import t from 'tap'
import { build, testClock } from '../../helper.js'
import { Assistant, BASE, CALLBACK, type Fields } from './assistant.js'

const CODE = /^svc_ac_[0-9A-Za-z]{22}_[0-9A-Za-z]{43}$/
const OWN_QUERY = 'https://assistant.example/q?x=%41+b&y'

t.test('authorization codes', async t => {
  const clock = testClock(Date.now())
  const app = await build(t, { clock })
  const assistant = await Assistant.registered(app, [CALLBACK, OWN_QUERY])
  await assistant.browser.signIn('ann@a.example')
  const ann = (await app.accounts.findByEmail('ann@a.example'))!
  const home = await app.safes.create(ann.id, 'Home')
  const garden = await app.safes.create(ann.id, 'Garden')
  const opened = async (changes: Fields) =>
    app.oauth.authenticate((await assistant.connect(changes)).access_token, null)

  t.test('A14 success adds exactly one code, state (if sent) and iss, and changes nothing else', async t => {
    const iss = `iss=${encodeURIComponent(BASE)}`
    const cases: [redirectUri: string, state: string | undefined, before: string, after: string][] = [
      [CALLBACK, 'a b', `${CALLBACK}?`, `&state=a%20b&${iss}`],
      [CALLBACK, '', `${CALLBACK}?`, `&state=&${iss}`],
      [CALLBACK, undefined, `${CALLBACK}?`, `&${iss}`],
      [OWN_QUERY, 'x', `${OWN_QUERY}&`, `&state=x&${iss}`],
    ]
    for (const [redirect_uri, state, before, after] of cases) {
      const page = await assistant.consentPage({ redirect_uri, state })
      const { statusCode, headers } = await assistant.decide(page, { decision: 'approve' })
      t.equal(statusCode, 303, 'C5')
      const location = String(headers.location)
      t.ok(location.startsWith(`${before}code=`) && location.endsWith(after), location)
      t.match(location.slice(`${before}code=`.length, -after.length), CODE)
    }
  })

  t.test('A9, A15 a code carries account, Safe and the granted scope, whatever is sent with it', async t => {
    const both = 'vault:read vault:write'
    const choice = { safe: home.id, scope: 'vault:write' }
    const code = await assistant.code({ scope: `${both} openid` }, choice)
    const { access_token, scope } = (await assistant.redeem(code, { safe: garden.id, account: 'bob' })).json()
    t.equal(scope, both)
    const granted = { accountId: ann.id, chosenSafeIds: [home.id], tokenScope: both.split(' ') }
    t.match(await app.oauth.authenticate(access_token, null), granted)
  })

  t.test('A10, A15 the resource asked for and how it is remembered (DESIGN §5.2)', async t => {
    const pinned = { resource: `safe:${home.id}`, resourceSent: true, chosenSafeIds: [home.id] }
    const absent = { resource: 'user', resourceSent: false, chosenSafeIds: [] }
    const user = { resource: 'user', resourceSent: true, chosenSafeIds: [] }
    const cases: [resource: string | undefined, facts: object][] = [
      [undefined, absent],
      [BASE, absent],
      ['HTTPS://SAFES.EXAMPLE:443/mcp/v1/', user],
      [`${BASE}/mcp/v1/${home.id}`, pinned],
    ]
    for (const [resource, facts] of cases) t.match(await opened({ resource }), facts, resource ?? 'absent')
  })
})
