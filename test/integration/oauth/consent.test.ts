import t from 'tap'
import { build, testClock } from '../../helper.js'
import { refused } from '../../written.js'
import { Browser, hiddenFields, PASSWORD } from '../pages/browser.js'
import { Assistant, assistantOf, BASE, CALLBACK } from './assistant.js'

const approve = { decision: 'approve' }

t.test('the decision on the consent page', async t => {
  const clock = testClock(Date.now())
  const app = await build(t, { clock })
  const { assistant, browser, id: ann } = await assistantOf(app)
  const bob = await app.accounts.add('bob@a.example', PASSWORD)
  const home = await app.safes.create(ann, 'Home')
  const foreign = await app.safes.create(bob.id, 'Bob only')
  const connections = async () => (await app.oauth.connections.listFor(ann)).length
  const tokenOf = async (page: string, from: Browser = browser) =>
    hiddenFields((await from.get(page)).body, page)._csrf ?? ''
  const codeIn = (location: unknown) => new URL(String(location)).searchParams.get('code')

  t.test('C1 GET shows and decides nothing, however often', async t => {
    const page = await assistant.consentPage()
    const shown = await refused(t, app, 'GET', () => browser.get(page))
    await refused(t, app, 'GET with a decision', () => browser.get(`${page}?decision=approve`))
    await refused(t, app, 'HEAD', () => browser.send({ method: 'HEAD', url: page }))
    t.equal(shown.statusCode, 200)
    t.equal((await assistant.decide(page, approve)).statusCode, 303)
  })

  t.test('C1 a missing, wrong or foreign CSRF token is 403 and no code', async t => {
    const page = await assistant.consentPage()
    const token = await tokenOf(page)
    const tokens: Record<string, string> = {
      missing: '',
      wrong: `${token}x`,
      "another flow's": await tokenOf(await assistant.consentPage()),
      "another form's": hiddenFields((await browser.get('/safes')).body, '/safes')._csrf ?? '',
    }
    for (const [name, _csrf] of Object.entries(tokens)) {
      for (const decision of ['approve', 'deny']) {
        const response = await refused(t, app, name, () => browser.post(page, { decision, _csrf }))
        t.match(response, { statusCode: 403, headers: { location: undefined } }, `${name}, ${decision}`)
      }
    }
    const query = await refused(t, app, 'query', () => browser.post(`${page}?_csrf=${token}`, approve))
    t.equal(query.statusCode, 403)
    t.equal((await browser.post(page, { ...approve, _csrf: token })).statusCode, 303, 'the right one')
  })

  t.test('C2 a page rendered twice, two tabs, two assistants: all stay submittable', async t => {
    const other = new Assistant(app)
    other.clientId = (await Assistant.registered(app)).clientId
    Object.assign(other, { browser })
    const pages = [await assistant.consentPage(), await other.consentPage(), await assistant.consentPage()]
    const first = await tokenOf(pages[0]!)
    for (const page of [...pages, ...pages]) t.equal((await browser.get(page)).statusCode, 200)
    t.equal(
      (await browser.post(pages[0]!, { ...approve, _csrf: first })).statusCode,
      303,
      'the first rendering',
    )
    const theirs = await other.decide(pages[1]!, approve)
    t.equal((await other.redeem(codeIn(theirs.headers.location) ?? '')).statusCode, 200)
    const last = await assistant.decide(pages[2]!, approve)
    t.equal((await assistant.redeem(codeIn(last.headers.location) ?? '')).statusCode, 200)
  })

  t.test('C3 a request is decided once, also by 10 clicks at once', async t => {
    for (const decision of ['approve', 'deny']) {
      const before = await connections()
      const page = await assistant.consentPage()
      const fields = { decision, _csrf: await tokenOf(page) }
      const clicks = await Promise.all(Array.from({ length: 10 }, () => browser.post(page, fields)))
      t.equal(clicks.filter(click => click.statusCode === 303).length, 1, decision)
      t.equal(await connections(), before + (decision === 'approve' ? 1 : 0))
      for (const again of ['approve', 'deny']) {
        const send = () => browser.post(page, { ...fields, decision: again })
        const response = await refused(t, app, `${again} after ${decision}`, send)
        t.match(response, { statusCode: 400, body: /no longer valid/, headers: { location: undefined } })
      }
      t.equal((await browser.get(page)).statusCode, 400)
    }
  })

  t.test('C3 a request belongs to the browser it came from', async t => {
    const page = await assistant.consentPage()
    const thief = new Browser(app)
    await thief.signIn('bob@a.example')
    const fields = { ...approve, _csrf: await tokenOf(page) }
    for (const send of [() => thief.get(page), () => thief.post(page, fields)]) {
      const response = await refused(t, app, 'elsewhere', send)
      t.match(response, { statusCode: 400, headers: { location: undefined } })
      t.notMatch(response.body, /Assistant<|ann@a/)
    }
    t.equal((await assistant.decide(page, approve)).statusCode, 303)
  })

  t.test('C3 a request expires after 30 minutes; what is no request is a page', async t => {
    const page = await assistant.consentPage()
    const _csrf = await tokenOf(page)
    clock.now += 30 * 60_000 - 1
    t.equal((await browser.get(page)).statusCode, 200)
    clock.now += 1
    for (const url of [page, '/oauth/consent/x', '/oauth/consent/%00']) {
      for (const send of [() => browser.get(url), () => browser.post(url, { ...approve, _csrf })]) {
        const response = await refused(t, app, url, send)
        t.equal(response.statusCode, 400, url)
        t.match(response.headers, { 'content-type': /^text\/html/, 'cache-control': 'no-store' })
      }
    }
  })

  t.test('C4, C5 denial goes back with 303, access_denied, state and iss, and no code', async t => {
    const page = await assistant.consentPage()
    const before = await connections()
    const response = await assistant.decide(page, { decision: 'deny' })
    t.equal(response.statusCode, 303)
    t.ok(String(response.headers.location).startsWith(`${CALLBACK}?error=access_denied&`))
    const answer = new URL(String(response.headers.location)).searchParams
    t.strictSame([...answer.keys()], ['error', 'error_description', 'state', 'iss'])
    t.match([answer.get('state'), answer.get('iss')], ['a state/+&', BASE])
    t.equal(await connections(), before)
    const bare = await assistant.decide(await assistant.consentPage({ state: undefined }), {
      decision: 'deny',
    })
    t.notMatch(bare.headers.location, 'state=')
  })

  t.test('C5, C9 who is not signed in signs in first, and comes back', async t => {
    const visitor = await Assistant.registered(app)
    const page = await visitor.consentPage()
    const id = page.split('/').at(-1)
    const response = await visitor.browser.get(page)
    t.match(response, { statusCode: 303, headers: { location: `/login?request=${id}` } })
    const fields = { email: 'bob@a.example', password: PASSWORD }
    const back = await visitor.browser.submit(`/login?request=${id}`, '/login', fields)
    t.match(back, { statusCode: 303, headers: { location: page } })
    t.equal((await visitor.decide(page, approve)).statusCode, 303)
  })

  t.test('C8 consent is asked every time, and nothing is remembered', async t => {
    await assistant.connect()
    for (const changes of [{}, { prompt: 'none' }, { approval_prompt: 'auto' }]) {
      const page = await assistant.consentPage(changes)
      t.match(page, /^\/oauth\/consent\//)
      t.match(await browser.get(page), { statusCode: 200, body: /value="approve"/ })
    }
  })

  t.test('C7 a resource that names a Safe of others is one neutral page, as is one that is none', async t => {
    const seen: string[] = []
    for (const safeId of [foreign.id, 'nothing']) {
      const page = await assistant.consentPage({ resource: `${BASE}/mcp/v1/${safeId}` })
      const response = await refused(t, app, safeId, () => browser.get(page))
      t.equal(response.statusCode, 404)
      seen.push(response.body)
      const other = await assistant.consentPage()
      t.notMatch((await browser.get(other)).body, /Bob only/)
    }
    t.match(seen[0], /cannot open/)
    t.equal(seen[0], seen[1], 'the same page, whether it exists or not')
    t.notMatch(seen[0], /Bob only|nothing/)
  })

  t.test('C7 only a readable Safe can be chosen, "only" needs one, and a button is needed', async t => {
    const page = await assistant.consentPage()
    const cases: [name: string, fields: Record<string, string>][] = [
      ['a foreign Safe', { ...approve, safe: foreign.id }],
      ['only, but none chosen', { ...approve, safe: '', only: 'yes' }],
      ['no button', { safe: home.id }],
    ]
    for (const [name, fields] of cases) {
      const response = await refused(t, app, name, () => assistant.decide(page, fields))
      t.match(response, { statusCode: 400, headers: { location: undefined } }, name)
    }
    t.equal((await assistant.decide(page, { ...approve, safe: home.id })).statusCode, 303)
  })
})
