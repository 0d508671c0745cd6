import t from 'tap'
import { build, setUps, testClock } from '../helper.js'
import { Browser, hiddenFields } from '../pages/browser.js'
import { Assistant, BASE, CALLBACK } from './assistant.js'

for (const setUp of setUps) {
  t.test(setUp, async t => {
    const clock = testClock(Date.now())
    const app = await build(t, { setUp, clock })
    const assistant = await Assistant.registered(app)
    const { browser } = assistant
    await browser.signIn('ann@a.example')
    const ann = (await app.accounts.findByEmail('ann@a.example'))!
    const bob = await app.accounts.add('bob@a.example', 'correct horse battery')
    const home = await app.safes.create(ann.id, 'Home <b>')
    const foreign = await app.safes.create(bob.id, 'Bob only')
    const connections = async () => (await app.oauth.connections.listFor(ann.id)).length

    t.test('C1, C7 GET shows who asks, for what, and decides nothing', async t => {
      const before = await connections()
      const page = await browser.get(await assistant.consentPage())
      t.equal(page.statusCode, 200)
      t.match(page.headers, {
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'content-security-policy': /frame-ancestors 'none'/,
      })
      t.notMatch(page.headers['content-security-policy'], /form-action/, 'C6')
      for (const part of ['Assistant', 'assistant.example', 'ann@a.example', 'Home &lt;b&gt;']) {
        t.ok(page.body.includes(part), part)
      }
      t.notMatch(page.body, /Bob only|vault:write/)
      t.equal(await connections(), before)
    })

    t.test('A14, A15, C5 approval goes back with exactly one code, state and iss', async t => {
      const response = await assistant.decide(await assistant.consentPage(), {
        decision: 'approve',
        safe: home.id,
      })
      t.equal(response.statusCode, 303)
      t.equal(response.headers['cache-control'], 'no-store')
      const location = new URL(String(response.headers.location))
      t.strictSame([...location.searchParams.keys()], ['code', 'state', 'iss'])
      t.equal(location.searchParams.get('state'), 'a state/+&')
      t.equal(location.searchParams.get('iss'), BASE)
      t.ok(String(response.headers.location).startsWith(`${CALLBACK}?code=`))
      const tokens = (await assistant.redeem(location.searchParams.get('code') ?? '')).json()
      t.match(await app.oauth.authenticate(tokens.access_token, null), {
        accountId: ann.id,
        chosenSafeId: home.id,
        selectedSafeId: home.id,
        onlyChosenSafe: false,
        tokenScope: ['vault:read'],
      })
    })

    t.test('C4 denial goes back with access_denied and no code', async t => {
      const before = await connections()
      const page = await assistant.consentPage()
      const response = await assistant.decide(page, { decision: 'deny' })
      t.equal(response.statusCode, 303)
      const answer = new URL(String(response.headers.location)).searchParams
      t.strictSame([...answer.keys()], ['error', 'error_description', 'state', 'iss'])
      t.equal(answer.get('error'), 'access_denied')
      t.equal(await connections(), before)
      t.equal((await browser.get(page)).statusCode, 400, 'and it is over')
    })

    t.test('C1 a missing, wrong or foreign CSRF token, or a cross-site post, is 403 and no code', async t => {
      const before = await connections()
      const page = await assistant.consentPage()
      const other = await assistant.consentPage()
      const approve = { decision: 'approve' }
      const { _csrf = '' } = hiddenFields((await browser.get(page)).body, page)
      const foreignToken = hiddenFields((await browser.get(other)).body, other)._csrf ?? ''
      t.equal((await browser.post(page, approve)).statusCode, 403, 'missing')
      t.equal((await browser.post(page, { ...approve, _csrf: 'x' })).statusCode, 403, 'wrong')
      t.equal(
        (await browser.post(page, { ...approve, _csrf: foreignToken })).statusCode,
        403,
        "another flow's",
      )
      const cross = [
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site' },
        { origin: 'null' },
      ]
      for (const headers of cross) {
        const response = await browser.post(page, { ...approve, _csrf }, headers as Record<string, string>)
        t.equal(response.statusCode, 403)
        t.equal(response.headers.location, undefined)
      }
      t.equal(await connections(), before)
      const fine = { origin: 'null', 'sec-fetch-site': 'same-origin' }
      t.equal((await browser.post(page, { ...approve, _csrf }, fine)).statusCode, 303)
    })

    t.test('C3 a request belongs to the browser it came from', async t => {
      const page = await assistant.consentPage()
      const thief = new Browser(app)
      await thief.signIn('bob@a.example')
      t.equal((await thief.get(page)).statusCode, 400)
      const { _csrf = '' } = hiddenFields((await browser.get(page)).body, page)
      t.equal((await thief.post(page, { decision: 'approve', _csrf })).statusCode, 400)
      t.equal((await app.oauth.connections.listFor(bob.id)).length, 0)
      t.equal((await browser.get(page)).statusCode, 200, 'and is still good there')
    })

    t.test('C2 two flows at once, a page rendered twice: all stay submittable', async t => {
      const pages = [await assistant.consentPage(), await assistant.consentPage()]
      const first = await browser.get(pages[0]!)
      await browser.get(pages[0]!)
      await browser.get(pages[1]!)
      const fields = { ...hiddenFields(first.body, pages[0]!), decision: 'approve' }
      t.equal((await browser.post(pages[0]!, fields)).statusCode, 303)
      t.equal((await assistant.decide(pages[1]!, { decision: 'approve' })).statusCode, 303)
    })

    t.test('C3 a request is decided once, also by 10 clicks at once, and expires', async t => {
      const before = await connections()
      const page = await assistant.consentPage()
      const fields = { ...hiddenFields((await browser.get(page)).body, page), decision: 'approve' }
      const clicks = await Promise.all(Array.from({ length: 10 }, () => browser.post(page, fields)))
      t.equal(clicks.filter(r => r.statusCode === 303).length, 1)
      const again = await browser.post(page, fields)
      t.equal(again.statusCode, 400)
      t.equal(again.headers.location, undefined)
      t.equal(await connections(), before + 1)
      const late = await assistant.consentPage()
      clock.now += 30 * 60_000
      t.equal((await browser.get(late)).statusCode, 400)
      t.equal((await browser.get('/oauth/consent/x')).statusCode, 400)
    })

    t.test('C7 vault:write is offered only when asked for, unticked, and given only when ticked', async t => {
      const scope = 'vault:read vault:write'
      const body = (await browser.get(await assistant.consentPage({ scope }))).body
      t.match(body, /<input type="checkbox" name="scope" value="vault:write">/)
      t.equal((await assistant.connect({ scope })).scope, 'vault:read')
      t.equal((await assistant.connect({ scope }, { scope: 'vault:write' })).scope, scope)
      t.equal(
        (await assistant.connect({}, { scope: 'vault:write' })).scope,
        'vault:read',
        'never more than asked',
      )
    })

    t.test('C1 unticking everything shows the page again', async t => {
      const before = await connections()
      const page = await assistant.consentPage({ scope: 'vault:write' })
      const response = await assistant.decide(page, { decision: 'approve' })
      t.equal(response.statusCode, 400)
      t.match(response.body, /Tick at least one/)
      t.equal(await connections(), before)
      t.equal((await assistant.decide(page, { decision: 'approve', scope: 'vault:write' })).statusCode, 303)
    })

    t.test('C7 only a Safe this account can read can be chosen; "only" needs one', async t => {
      const before = await connections()
      const page = await assistant.consentPage()
      for (const safe of [foreign.id, 'nothing', '']) {
        const response = await assistant.decide(page, { decision: 'approve', safe, only: 'yes' })
        t.equal(response.statusCode, 400)
        t.equal(response.headers.location, undefined)
      }
      t.equal((await assistant.decide(page, {})).statusCode, 400, 'no button')
      t.equal(await connections(), before)
      const tokens = await assistant.connect({}, { safe: home.id, only: 'yes' })
      t.match(await app.oauth.authenticate(tokens.access_token, null), {
        onlyChosenSafe: true,
        chosenSafeId: home.id,
      })
    })

    t.test('C7 a pinned resource is for that Safe, whatever the form says', async t => {
      const tokens = await assistant.connect({ resource: `${BASE}/mcp/v1/${home.id}` }, { safe: foreign.id })
      t.match(await app.oauth.authenticate(tokens.access_token, null), {
        resource: `safe:${home.id}`,
        resourceSent: true,
        chosenSafeId: home.id,
      })
      const pages = await Promise.all(
        [foreign.id, 'nothing'].map(async id => {
          const page = await assistant.consentPage({ resource: `${BASE}/mcp/v1/${id}` })
          return (await browser.get(page)).body.replaceAll(id, '')
        }),
      )
      t.match(pages[0], /cannot open/)
      t.equal(pages[0], pages[1], 'the same page, whether it exists or not')
    })

    t.test('C9 who is not signed in signs in first and comes back', async t => {
      const visitor = await Assistant.registered(app)
      const page = await visitor.consentPage()
      const response = await visitor.browser.get(page)
      t.equal(response.statusCode, 303)
      t.equal(response.headers.location, `/login?request=${page.split('/').at(-1)}`)
      const { _csrf = '' } = hiddenFields((await browser.get(await assistant.consentPage())).body, page)
      t.equal((await visitor.browser.post(page, { decision: 'approve', _csrf })).statusCode, 403)
    })

    t.test('C8 consent is asked every time', async t => {
      t.match(await assistant.consentPage(), /^\/oauth\/consent\//)
      t.match(await assistant.consentPage(), /^\/oauth\/consent\//)
    })

    t.test('S3 a client name full of HTML shows as text', async t => {
      const evil = new Assistant(app)
      evil.clientId = (
        await evil.register({
          redirect_uris: [CALLBACK],
          client_name: '<script>alert(1)</script>{{x}}<%= 1 %>',
        })
      ).json().client_id
      await evil.browser.signIn('bob@a.example')
      const { body } = await evil.browser.get(await evil.consentPage())
      t.notMatch(body, /<script>alert/)
      t.ok(body.includes('&lt;script&gt;alert(1)&lt;/script&gt;{{x}}&lt;%= 1 %&gt;'))
    })
  })
}
