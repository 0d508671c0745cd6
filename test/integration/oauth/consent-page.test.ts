import t from 'tap'
import { connectionsTexts } from '../../../views/texts/connections.js'
import { consentTexts } from '../../../views/texts/consent.js'
import { build } from '../../helper.js'
import { type FormFields, hiddenFields, PASSWORD } from '../pages/browser.js'
import { Assistant, assistantOf, BASE, CALLBACK, type Fields } from './assistant.js'

const m = consentTexts

t.test('the consent page', async t => {
  const app = await build(t)
  const redirects = [CALLBACK, 'https://xn--bcher-kva.example:8443/cb', 'com.example.app:/cb']
  const { assistant, browser, id: ann } = await assistantOf(app, 'ann@a.example', redirects)
  const bob = await app.accounts.add('bob@a.example', PASSWORD)
  const home = await app.safes.create(ann, 'Home <b>')
  const garden = await app.safes.create(ann, 'Garden')
  await app.safes.create(bob.id, 'Bob only')
  const shown = async (changes: Fields = {}) => (await browser.get(await assistant.consentPage(changes))).body
  const accessOf = async (changes: Fields, choice: FormFields) =>
    app.oauth.authenticate((await assistant.connect(changes, choice)).access_token, null)

  t.test('C7 the page says who asks, who is signed in, for how long, and at which service', async t => {
    const body = await shown()
    t.match(body, /<h1>An app calling itself "<bdi>Assistant<\/bdi>" wants access<\/h1>/)
    t.match(body, /<title>An app calling itself &quot;Assistant&quot; wants access/)
    t.notMatch(body, `>${m.verified}<`)
    const parts = [`>${m.unverified}<`, '<strong>ann@a.example</strong>', m.lasts(90), m.returnsTo]
    for (const part of [...parts, `<strong>${new URL(BASE).host}</strong>`]) t.ok(body.includes(part), part)
  })

  t.test('C2 what was ticked stays ticked when the session has ended or changed', async t => {
    const { assistant: flow } = await assistantOf(app)
    const page = await flow.consentPage({ scope: 'vault:read vault:write' })
    const fields = hiddenFields((await flow.browser.get(page)).body, page)
    const ticked = { ...fields, safe: [garden.id], only: 'yes', scope: 'vault:write', decision: 'approve' }
    const isTicked = (body: string) => {
      t.ok(body.includes(`name="safe" value="${garden.id}" checked`))
      t.notOk(body.includes(`name="safe" value="${home.id}" checked`))
      t.match(body, /name="only" value="yes" checked/)
      t.match(body, /name="propose" value="yes" checked/)
    }
    await flow.browser.submit('/', '/logout')
    const sent = await flow.browser.post(page, ticked, { origin: BASE })
    t.match(sent, { statusCode: 303, headers: { location: /^\/login\?request=[\w-]+&form=[\w-]+$/ } })
    const signedIn = await flow.browser.submit(String(sent.headers.location), '/login', {
      email: 'ann@a.example',
      password: PASSWORD,
    })
    t.match(signedIn, { statusCode: 303, headers: { location: `${page}?form=` } })
    isTicked((await flow.browser.get(String(signedIn.headers.location))).body)

    const stale = await flow.browser.post(page, ticked, { origin: BASE })
    t.equal(stale.statusCode, 403)
    t.ok(stale.body.includes(m.otherSession))
    isTicked(stale.body)
    t.notMatch(
      (await flow.browser.post(page, ticked)).body,
      garden.id,
      'only if one of our pages sent it: another site cannot tick for the user',
    )
    const others = String(signedIn.headers.location).replace(page, await flow.consentPage())
    t.notMatch((await flow.browser.get(others)).body, /name="safe" value="\w+" checked/, 'of this request')
  })

  t.test('C7 the only Safe of an account is ticked', async t => {
    const { assistant: flow } = await assistantOf(app, 'bob@a.example')
    const body = (await flow.browser.get(await flow.consentPage())).body
    t.match(body, /type="hidden" name="safe" value="\w+">.*<span><bdi>Bob only/s)
    t.match(body, /name="only" value="" checked/, 'but the app may read all Safes unless the user says no')
    t.notMatch(await shown(), /name="safe" value="\w+" checked/, 'of several none is')
  })

  t.test('C5, A14 an app with its own scheme gets a page that leads back to it (RFC 8252 §7.1)', async t => {
    const approve = async (headers: Record<string, string>, decision = 'approve') => {
      const page = await assistant.consentPage({ redirect_uri: 'com.example.app:/cb' })
      const { body } = await browser.get(page)
      return browser.post(page, { ...hiddenFields(body, page), decision }, headers)
    }
    const { statusCode, body, headers } = await approve({ accept: 'text/html,*/*' })
    t.equal(statusCode, 200)
    t.equal(headers['cache-control'], 'no-store')
    t.match(body, /<h1>Connected\. You can return to <bdi>Assistant<\/bdi><\/h1>/)
    const [, link = ''] = /<a class="button wide" href="([^"]*)"/.exec(body) ?? []
    const [, refresh = ''] = /<meta http-equiv="refresh" content="0;url=([^"]*)"/.exec(body) ?? []
    t.equal(refresh, link, 'by itself and by the button')
    const url = new URL(link.replaceAll('&amp;', '&'))
    t.match(url.href, /^com\.example\.app:\/cb\?code=\w+&state=a%20state%2F%2B%26&iss=/)
    const redemption = { redirect_uri: 'com.example.app:/cb' }
    t.equal((await assistant.redeem(url.searchParams.get('code') ?? '', redemption)).statusCode, 200)

    const program = await approve({ accept: '*/*' })
    t.equal(program.statusCode, 303, 'a program that is no browser reads the redirect')
    t.match(program.headers.location, /^com\.example\.app:\/cb\?code=/)
    const denied = await approve({ accept: 'text/html' }, 'deny')
    t.equal(denied.statusCode, 303, 'C4')
    t.match(denied.headers.location, /^com\.example\.app:\/cb\?error=access_denied&/)
  })

  t.test('C7 the host that the browser is sent to, from the URI asked for', async t => {
    const cases: [redirect_uri: string, host: string, warning: string][] = [
      [CALLBACK, 'assistant.example', m.unknownHost],
      ['https://xn--bcher-kva.example:8443/cb', 'xn--bcher-kva.example:8443', m.unknownHost],
      ['https://claude.ai/api/mcp/auth_callback', 'claude.ai', m.knownHost],
      ['http://localhost:7/cb', 'localhost:7', m.loopback],
      ['com.example.app:/cb', 'com.example.app:', m.unknownHost],
    ]
    for (const [redirect_uri, host, warning] of cases) {
      const body = await shown({ redirect_uri })
      t.ok(body.includes(`<p class="host">${host}</p>`), host)
      t.ok(body.includes(warning), host)
      t.equal(body.includes(m.loopback), warning === m.loopback, host)
      t.ok(body.includes(host === 'claude.ai' ? m.known : m.unverified), host)
      t.notMatch(body, `>${m.verified}`, `${host}: not verified by its callback alone`)
    }
    const css = (await browser.get('/assets/style.css')).body
    t.match(css, /\.host\s*\{[^}]*font-size:\s*1\.[2-9]/, 'in large type')
  })

  t.test('the pages of a connection say of its app what was said when it was allowed', async t => {
    const cases = { 'https://claude.ai/api/mcp/auth_callback': 'known', [CALLBACK]: 'unverified' } as const
    for (const [redirect_uri, standing] of Object.entries(cases)) {
      t.ok((await shown({ redirect_uri })).includes(m[standing]), standing)
      await assistant.code({ redirect_uri })
      const [newest] = await app.oauth.connections.listFor(ann, { kind: 'open', limit: 1 })
      const { body } = await browser.get(`/connections/${newest?.id}`)
      t.match(body, new RegExp(`<h1>.*>${connectionsTexts[standing]}</span>\\s*</h1>`), standing)
    }
  })

  t.test('C7 reading cannot be refused; writing is offered if asked for, given if ticked', async t => {
    const body = await shown()
    t.ok(body.includes(m.scopes['vault:read'] ?? '?'))
    t.notMatch(body, /type="checkbox" name="scope"|vault:write/)
    const scope = 'vault:read vault:write'
    const asked = await shown({ scope })
    t.notMatch(asked, 'name="scope" value="vault:write"', 'the box of proposing stands for it')
    t.ok(asked.includes(m.wantsToChange))
    const cases: [changes: Fields, ticked: string, granted: string[]][] = [
      [{}, 'vault:write', ['vault:read']],
      [{ scope }, '', ['vault:read']],
      [{ scope }, 'vault:write', ['vault:read', 'vault:write']],
    ]
    for (const [changes, ticked, tokenScope] of cases)
      t.match(await accessOf(changes, { scope: ticked }), { tokenScope }, JSON.stringify(changes))
  })

  t.test('C7 a pinned resource is for that Safe, and the form has no say in it', async t => {
    const resource = `${BASE}/mcp/v1/${home.id}`
    const body = await shown({ resource })
    t.ok(body.includes('only this Safe: <bdi>Home &lt;b&gt;</bdi>'), 'isolated from the sentence')
    t.notMatch(body, /name="(?:safe|only)"|Garden/)
    t.match(await accessOf({ resource }, { safe: garden.id, only: 'yes' }), {
      resource: `safe:${home.id}`,
      resourceSent: true,
      chosenSafeIds: [home.id],
      onlyChosenSafe: false,
    })
  })

  t.test('C7 Allow and Cancel are two buttons of a form that loads and needs nothing', async t => {
    const body = await shown()
    const [, form = ''] = /<form id="decision"[^>]*method="post"[^>]*>(.*?)<\/form>/s.exec(body) ?? []
    t.match(form, `<button name="decision" value="approve">${m.approve}</button>`)
    t.match(form, new RegExp(`<button name="decision" value="deny"[^>]*>${m.deny}</button>`))
    for (const [, address = ''] of body.matchAll(/(?:src|href|action|srcset)="([^"]*)"/g)) {
      t.match(address, /^(?:\/(?!\/)|#)/, address)
    }
    t.notMatch(body, /<img|<iframe|<object|<embed|\son\w+=|javascript:|style="/i)
  })

  t.test('C6, A13 the headers of the consent page forbid frames, and no form-action stops it', async t => {
    const pages = [
      await browser.get(await assistant.consentPage()),
      await assistant.decide(await assistant.consentPage(), { decision: 'maybe' }),
      await browser.post(await assistant.consentPage(), {}),
      await browser.get('/oauth/consent/x'),
      await browser.get(await assistant.consentPage({ resource: `${BASE}/mcp/v1/nothing` })),
      await browser.get('/oauth/authorize'),
      await new Assistant(app).browser.get(`/login?request=${'x'.repeat(43)}`),
      await new Assistant(app).browser.post('/login', {}),
      await browser.send({
        url: await assistant.consentPage(),
        headers: { origin: 'https://x.example' },
      }),
    ]
    t.same(
      pages.map(page => page.statusCode),
      [200, 400, 403, 400, 404, 400, 200, 403, 200],
    )
    for (const { headers, statusCode } of pages) {
      const policy = String(headers['content-security-policy'])
      t.match(policy, /(?:^|; )default-src 'none'(?:;|$)/, `${statusCode}`)
      t.match(policy, /(?:^|; )frame-ancestors 'none'(?:;|$)/)
      t.notMatch(policy, /form-action|https?:|\*|unsafe/)
      t.match(headers, {
        'content-type': /^text\/html/,
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      })
      t.same(
        Object.keys(headers).filter(name => /^(?:access-control|cross-origin)-/.test(name)),
        [],
        'no CORS, no COOP',
      )
    }
  })

  t.test('C7, C9 the way to another account leads back to the same request', async t => {
    const { assistant: flow } = await assistantOf(app)
    const page = await flow.consentPage()
    const id = page.split('/').at(-1)
    const out = await flow.browser.submit(page, `/logout?request=${id}`)
    t.match(out, { statusCode: 303, headers: { location: `/login?request=${id}` } })
    const fields = { email: 'bob@a.example', password: PASSWORD }
    const back = await flow.browser.submit(`/login?request=${id}`, '/login', fields)
    t.match(back, { statusCode: 303, headers: { location: page } })
    const { body } = await flow.browser.get(page)
    t.match(body, /<strong>bob@a.example<\/strong>/)
    t.ok(body.includes('Bob only') && !body.includes('Garden'))
  })

  t.test('C7, S3 a client name full of HTML shows as text', async t => {
    const evil = new Assistant(app)
    const name = `<script>alert(1)</script>{{x}}<%= 1 %>"'&amp;`
    evil.clientId = (await evil.register({ redirect_uris: [CALLBACK], client_name: name })).json().client_id
    await evil.browser.signIn('bob@a.example')
    const { body } = await evil.browser.get(await evil.consentPage())
    t.notMatch(body, /<script>alert/)
    t.ok(body.includes('&lt;script&gt;alert(1)&lt;/script&gt;{{x}}&lt;%= 1 %&gt;&quot;&#39;&amp;amp;'))
  })
})
