import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { build } from '../../helper.js'
import { addLighthouse } from '../../lighthouse.js'
import { openFiles } from '../../open-files.js'
import { until } from '../../until.js'
import { Browser, hiddenFields, PASSWORD } from './browser.js'
import { fact, multipart, openFilled } from './filled.js'
import { open } from './open.js'

const HOSTILE = `<script>alert(1)</script>"'\u202e{{x}}<%= y %>`
const SHOWN = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;\u202e{{x}}&lt;%= y %&gt;'

t.test('A13 every page has its headers, one h1 and a title; C6 no form-action', async t => {
  const { app, browser, path, staged, committed } = await openFilled(t)
  const signedIn = [
    '/',
    '/safes',
    path,
    `${path}/browse`,
    `${path}/browse?relation=knows`,
    `${path}/browse?passages=1`,
    `${path}/things/ann`,
    `${path}/things/ann?to=bo`,
    `${path}/things/nobody`,
    `${path}/picture?of=ann`,
    '/search',
    '/search?q=a',
    `${path}/settings`,
    `${path}/remove`,
    `${path}/import`,
    staged,
    committed,
    '/connections',
    '/people',
    '/system',
    '/account',
    '/nowhere',
  ]
  const pages = [
    ...(await Promise.all(signedIn.map(url => browser.get(url)))),
    await new Browser(app).get('/login'),
    await new Browser(app).get('/setup?token=x'),
    await browser.post('/safes', {}),
  ]
  for (const { headers, body, raw } of pages) {
    const csp = String(headers['content-security-policy'])
    const url = String(raw.req.url)
    t.match(csp, /^default-src 'none';.*frame-ancestors 'none'/, url)
    t.notMatch(csp, /form-action/)
    t.match(headers, {
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8',
      'strict-transport-security': /max-age/,
    })
    t.equal(headers['cross-origin-opener-policy'], undefined)
    t.equal(headers['access-control-allow-origin'], undefined)
    t.equal(body.match(/<h1[ >]/g)?.length, 1, `${url} has one h1`)
    t.match(body, /<html lang="en">/)
    t.match(body, /<title>.+ · svc<\/title>/)
    t.notMatch(body, /(?:src|href)="(?:https?:)?\/\//, 'nothing from elsewhere')
    t.notMatch(body, /undefined|\[object/)
  }
})

t.test('an answer on the page says what its text form says, and names are links', async t => {
  const { app, browser, id: ann } = await open(t)
  const { id } = await addLighthouse(app, ann)
  const body = async (query: Record<string, string>) =>
    (await browser.get(`/safes/${id}?${new URLSearchParams(query)}`)).body
  const path = await body({ q: 'how is Marit Solberg connected to Moreau Glassworks?' })
  t.match(
    path,
    /<bdi>Marit Solberg<\/bdi><\/a>\s*<a [^>]*>\u2014 wrote \u2192<\/a>\s*<a [^>]*><bdi>Repair Plan 2026<.*\u2014 plans \u2192.*Lens Restoration.*\u2190/s,
  )
  t.match(path, `href="/safes/${id}/things/repair%20plan%202026"`)
  const pair = await body({ q: 'Marit Solberg and Jonas Lindqvist' })
  t.match(
    pair,
    /<h3><a href="[^"]*marit%20solberg"><bdi>Marit Solberg \(person\): 4 facts.*<bdi>Jonas Lindqvist \(person\): 5 facts/s,
  )
  t.equal(
    pair.split('<bdi>lighthouse-cooperative.jsonl</bdi></a></p>').length,
    2,
    'the source once in the answer',
  )
  t.match(
    await body({ q: 'lighthouses' }),
    /Of type lighthouse, 3<.*things\/north%20skerry%20light"><bdi>North Skerry Light/s,
  )
  t.match(
    await body({ overview: '1' }),
    /<h3>Types<.*<bdi>person<\/bdi><\/a> <span class="muted">11<.*<h3>Most connected<.*Skerry Light Cooperative<\/bdi><\/a> <span class="muted">16</s,
  )
  const entity = await body({ q: 'Skerry Light Cooperative' })
  t.match(
    entity,
    /<h3>Relations<\/h3>.*relation=is\+a\+member\+of&amp;of=skerry\+light\+cooperative&amp;direction=in"><bdi>← is a member of<\/bdi><\/a> <span class="muted">8</s,
  )
  const nothing = await body({ q: 'zzyzx' })
  t.match(nothing, /Nothing found\..*Searched the Safe .*46 entities, 91 facts and 51 passages/s)
  t.match(nothing, 'Nothing in this Safe matches: zzyzx.')
  t.match(nothing, `Try another name, or <a href="/safes/${id}/browse">see what’s in this Safe</a>.`)
})

t.test('other words are a folded field; an answer keeps them for its next page (GRAPH §5)', async t => {
  const { app, browser, path } = await openFilled(t)
  const words = `repair, ${HOSTILE}`
  const plain = (await browser.get(`${path}?q=Ann`)).body
  t.match(plain, /<details>\s*<summary>More options<\/summary>.*name="other_words"/s)
  const ask = app.safes.questions.ask
  app.safes.questions.ask = async (account, safeId, question) => {
    t.same(question, { query: 'Ann', form: 'text', otherWords: words, maxTokens: 4000 })
    const answer = await ask.call(app.safes.questions, account, safeId, { query: 'Ann' })
    return { ...answer, next_cursor: 'c' }
  }
  const { body } = await browser.get(`${path}?${new URLSearchParams({ q: 'Ann', other_words: words })}`)
  t.match(body, /<details open>/)
  t.notMatch(body, /<script>/)
  t.match(body, /name="other_words"[^>]* maxlength="1000"/)
  t.ok(body.includes(SHOWN))
  const next = body.match(/href="\?([^"]*cursor=[^"]*)"/)![1]!.replaceAll('&amp;', '&')
  t.equal(new URLSearchParams(next).get('other_words'), words)
})

t.test('“More options” says how to answer, and keeps what was chosen', async t => {
  const { browser, path } = await openFilled(t)
  const body = async (fields: Record<string, string>) =>
    (await browser.get(`${path}?${new URLSearchParams(fields)}`)).body
  t.match(await body({ q: 'Ann', mode: 'overview' }), /<details open>.*value="overview" selected/s)
  t.match(await body({ mode: 'overview' }), /<h3>Relations<.*<h3>Most connected</s)
  t.notMatch(await body({ q: 'Ann', mode: '' }), '<details open>')
  t.match(await body({ q: 'Ann', mode: 'entity' }), /value="entity" selected/)
  t.equal((await browser.get(`${path}?q=Ann&mode=walk`)).statusCode, 400)
  t.equal((await browser.get(`${path}?q=Ann&other=1&other=2`)).statusCode, 200, 'unknown fields do not count')
})

t.test('the question box of the home page leads to the Safe', async t => {
  const { browser, safe } = await openFilled(t)
  const asked = await browser.get(`/ask?safe=${safe.id}&q=Who+is+Ann%3F`)
  t.match(asked, { statusCode: 303, headers: { location: `/safes/${safe.id}?q=Who+is+Ann%3F` } })
  t.equal((await browser.get('/ask?safe=//evil.example&q=x')).statusCode, 400)
})

t.test('a form with a file that is refused leaves no file behind; a malformed one is 400', async t => {
  const { app, browser, path } = await openFilled(t)
  const form = await browser.get(`${path}/import`)
  const { _csrf } = hiddenFields(form.body, `${path}/import`)
  const part = (head: string, text: string) =>
    `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`
  const token = part('name="_csrf"', _csrf!)
  const one = part('name="file"; filename="a.jsonl"', '{}')
  const send = (payload: string, type = 'multipart/form-data; boundary=x') =>
    browser.send({ method: 'POST', url: `${path}/import`, payload, headers: { 'content-type': type } })
  const refused: [name: string, attempt: () => ReturnType<typeof send>][] = [
    ['too many files', () => send(`${token}${one.repeat(21)}--x--\r\n`)],
    ['too many fields', () => send(`${token}${one}${part('name="a"', '1').repeat(12)}--x--\r\n`)],
    ['a field named __proto__', () => send(`${token}${one}${part('name="__proto__"', '1')}--x--\r\n`)],
    ['a body that breaks off', () => send(`${token}${one.slice(0, -8)}`)],
    ['no boundary', () => send('', 'multipart/form-data')],
    ['an unknown format', () => send(`${token}${part('name="format"', 'x')}${one}--x--\r\n`)],
  ]
  for (const [name, attempt] of refused) {
    const { statusCode } = await attempt()
    t.ok(statusCode === 400 || statusCode === 413, `${name}: ${statusCode}`)
  }
  const uploads = join(app.config.dataDir, 'uploads')
  t.same(readdirSync(uploads), [])
  // A broken body is closed when its socket closes.
  await until(() => openFiles(uploads).length === 0)
})

t.test('a file is read first, then added, then undone', async t => {
  const { browser, path } = await openFilled(t)
  const send = async (name: string, content: string, fields: Record<string, string> = {}) => {
    const { body } = await browser.get(`${path}/import`)
    const token = hiddenFields(body, `${path}/import`)
    return browser.send(multipart(`${path}/import`, { ...token, ...fields }, [name, content]))
  }
  const settle = async (url: string) => {
    const page = async () => (await browser.get(url)).body
    await until(async () => !(await page()).includes('http-equiv="refresh"'))
    return page()
  }
  const good = await send('cy.jsonl', JSON.stringify(fact('Cy', 'Di')))
  t.equal(good.statusCode, 303)
  const url = good.headers.location!
  t.match(await settle(url), /Nothing has changed yet.*2 things.*1 relation</s)
  t.notMatch((await browser.get('/safes')).body, /4 things/)
  t.equal((await browser.submit(url, `${url}/commit`)).statusCode, 303)
  t.match((await browser.get(url)).body, /<h1>Added/)
  t.match((await browser.get('/safes')).body, /4 things/)
  t.match(await browser.submit(`${url}/undo`, `${url}/undo`), {
    statusCode: 303,
    headers: { location: `${path}/files` },
  })
  t.match((await browser.get('/safes')).body, /2 things/)

  const bad = await send('bad.jsonl', `${JSON.stringify(fact('A', 'B'))}\nnot json`)
  t.match(await settle(bad.headers.location!), /1 line could not be read; nothing was added.*<td>2<\/td>/s)
  const skipped = await send('bad.jsonl', `${JSON.stringify(fact('A', 'B'))}\nnot json`, { skip_bad: 'yes' })
  t.match(await settle(skipped.headers.location!), /<h1>Ready to review.*<td>2<\/td>/s)
  const odd = await send('odd.md', '---\na: b\nodd\n---\nText.')
  t.match(
    await settle(odd.headers.location!),
    /<h1>Ready to review.*1 file was only partly recognized.*<td>3<\/td>.*was read as text/s,
  )

  const nameless = await send('', '')
  t.equal(nameless.statusCode, 400)
  t.match(nameless.body, /role="alert">.*choose a file/s)
  const csv = await send('people.txt', 'Ann,knows,Bo', { format: 'csv' })
  t.equal(csv.statusCode, 303)
  await settle(csv.headers.location!)
})

t.test('signed-out visitors are redirected to sign in', async t => {
  const app = await build(t)
  await app.accounts.add('ann@example.org', PASSWORD)
  for (const url of ['/', '/safes', '/safes/x', '/safes/x/import', '/connections', '/account', '/people']) {
    t.match(await new Browser(app).get(url), { statusCode: 303, headers: { location: /^\/login/ } }, url)
  }
})
