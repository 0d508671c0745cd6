import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { addLighthouse } from '../../lighthouse.js'
import { once } from '../../once.js'
import { zip } from '../../zip.js'
import { posterOf } from '../mcp/service.js'
import { open as openSignedIn, walk } from './open.js'

const NOTES = {
  'Home.md': '# Home\n\nSee [[Plan]], [[Nowhere]] and [the plan](work/Plan.md#Later).\n',
  'work/Plan.md':
    '---\ntags: [work]\ndate: 2026-02-03\n---\n# The plan\n\nFirst.\n\n## Later\n\nSee [[Home]].\n\n### Last\n\nEnd.\n',
  'work/<b>&?#.md':
    '<script>alert(1)</script>\n\n[x](javascript:alert(1)) ![p](https://evil.example/p.png)\n',
}

const service = once(() => openSignedIn(t))

/** Ann with a Safe of notes. */
async function open(notes: Record<string, string> = NOTES) {
  const { app, browser, id: ann } = await service()
  const { id } = await app.safes.create(ann, 'Notes')
  const bytes = Readable.from([zip(Object.entries(notes).map(([name, content]) => ({ name, content })))])
  await app.safes.imports.add(ann, id, { source: 'notes.zip', bytes, commit: true })
  const path = `/safes/${id}/documents`
  return { app, ann, browser, id, path, get: (rest: string) => browser.get(`${path}${rest}`) }
}

t.test('documents are listed folder by folder, and found by words and tags', async t => {
  const { get, path } = await open()
  const all = (await get('')).body
  t.match(all, `<a href="${path}/Home.md"><bdi>Home</bdi></a>`)
  t.match(all, `<a href="${path}?folder=work%2F"><bdi>work</bdi></a>`)
  const folder = (await get('?folder=work')).body
  t.match(folder, `<a href="${path}/work/Plan.md"><bdi>The plan</bdi></a>`)
  t.match(folder, `<a href="${path}/work/%3Cb%3E%26%3F%23.md"><bdi>&lt;b&gt;&amp;?#</bdi></a>`)
  t.match((await get('?q=the+plan')).body, /Documents with “the plan”.*work\/Plan\.md/s)
  t.match((await get('?tag=work')).body, /Documents tagged “work”.*3 February 2026/s)
  t.match((await get('?q=zebra')).body, 'There are no documents here.')
  t.match(all, `<a href="${path}?tag=work"><bdi>work</bdi></a> <span class="muted">1</span>`)
  t.notMatch(folder, '?tag=work')
  t.match(all, /work<\/bdi><\/a>\s*<span class="muted small path"><bdi>2 documents<\/bdi>/, 'with a count')
  t.match(all, `href="/safes/${path.split('/')[2]}/import">Add files</a>`)
})

t.test('documents are sorted by when they changed, by size and by when they were read', async t => {
  const { app, ann, id, get, path } = await open({
    'large.md': `---\ndate: 2024-02-03\n---\n${'word '.repeat(500)}`,
    'old.md': '---\ndate: 2020-02-03\n---\nOld.',
    'undated.md': 'This came just now.',
  })
  const listed = async (sort: string) => {
    const { body } = await get(`?sort=${sort}`)
    return [...body.matchAll(/documents\/(\w+)\.md"><bdi>/g)].map(([, name]) => name)
  }
  for (const sort of ['date', 'size', 'read']) t.match((await get('')).body, `<a href="${path}?sort=${sort}"`)
  t.match((await get('?sort=date')).body, '<th scope="col" aria-sort="descending">Changed')
  t.same(await listed('date'), ['undated', 'large', 'old'], 'without a date, by when it came')
  t.same(await listed('size'), ['large', 'old', 'undated'])
  t.same(await listed('read'), [])
  const claude = await app.oauth.issueTokens(ann, { clientName: 'Claude' })
  await posterOf(app)(claude).tool('svc', { safe: id, document: 'old.md' })
  await app.activity.flush()
  t.same(await listed('read'), ['old'])
})

t.test('tags that differ only in capitals are one', async t => {
  const { get } = await open({
    'a.md': 'A #Garden.',
    'b.md': 'B #garden, #fff and [x](https://a.example/#top).',
  })
  const [, tags = ''] = /<p class="small tags">(.*?)<\/p>/s.exec((await get('')).body) ?? []
  t.match(tags, /Garden<\/bdi><\/a> <span class="muted">2</i)
  t.notMatch(tags, /top/, 'a fragment of an address is none')
})

t.test('the three largest documents are rendered ahead', async t => {
  const sizes = {
    'a.md': 90_000,
    'b.md': 110_000,
    'c.md': 140_000,
    'd.md': 130_000,
    'in/a/folder/e.md': 150_000,
  }
  const notes = Object.fromEntries(
    Object.entries(sizes).map(([name, size]) => [name, 'word '.repeat(size / 5)]),
  )
  const { app, browser, id, get } = await open(notes)
  const { ahead } = app.renderer
  t.teardown(() => Object.assign(app.renderer, { ahead }))
  const renderedOn = (show: () => Promise<unknown>) =>
    new Promise<string[]>((resolve, reject) => {
      const rendered: string[] = []
      app.renderer.ahead = async (_, _bytes, read) => {
        if (rendered.push((await read()).title) === 3) resolve(rendered)
      }
      show().catch(reject)
    })
  t.same(await renderedOn(() => get('')), ['c', 'd', 'b'], 'of those that are listed')
  const ofAll = ['e', 'c', 'd']
  for (const page of ['', '?q=word', '/imports/1'])
    t.same(await renderedOn(() => browser.get(`/safes/${id}${page}`)), ofAll, page)
})

t.test('a long folder, and the list by date, has pages', async t => {
  const day = (at: number) => `---\ndate: 2026-01-${String((at % 28) + 1).padStart(2, '0')}\n---\nx`
  const notes = Object.fromEntries(
    Array.from({ length: 120 }, (_, at) => [`n/${String(at).padStart(3, '0')}.md`, at < 70 ? day(at) : 'x']),
  )
  const { browser, path } = await open(notes)
  const listed = async (query: string) =>
    (await walk(browser, `${path}${query}`, /documents\/n\/(\d{3})\.md"/g)).found
  const names = Object.keys(notes).map(name => name.slice(2, 5))
  t.same(await listed('?folder=n/'), names)
  // Those without a date come after all dates.
  const dayOf = (name: string) => (Number(name) < 70 ? Number(name) % 28 : 99)
  t.same(
    await listed('?sort=date'),
    names.toSorted((a, b) => dayOf(b) - dayOf(a) || Number(a) - Number(b)),
  )
})

t.test('a document is rendered with its links, outline, places and neighbours', async t => {
  const { get, path } = await open()
  const home = (await get('/Home.md')).body
  t.match(home, '<h1 id="h-home">Home</h1>')
  t.match(home, `<a href="${path}/work/Plan.md">Plan</a>`)
  t.match(home, `<a href="${path}/work/Plan.md#h-later">the plan</a>`)
  t.match(home, '<span class="dead">Nowhere</span>')
  const plan = (await get('/work/Plan.md')).body
  t.match(plan, /Dated 3 February 2026.*#<bdi>work<\/bdi>/s)
  t.match(plan, /<\/h1><details class="fold narrow-only">.*<a href="#h-later">/s, 'folded under the title')
  t.match(plan, /<nav class="wide-only" aria-labelledby="outline">.*<a href="#h-later">/s)
  t.match(plan, /<section class="place" id="p-\d+">/)
  t.match(plan, `<a href="${path}/work/%3Cb%3E%26%3F%23.md" rel="prev">`)
  const [, linkedFrom = ''] = /Linked from<\/h2>(.*?)<\/ul>/s.exec(home) ?? []
  t.match(linkedFrom, `<a href="${path}/work/Plan.md"><bdi>The plan</bdi></a>`, 'documents by their titles')
})

t.test('a document can be asked alone, whatever its name is', async t => {
  const { browser, get, id, path } = await open({
    'red, green.md': 'The lamp is red.',
    'blue.md': 'The lamp is blue.',
  })
  const page = (await get('/red,%20green.md')).body
  t.match(page, `<a id="here" href="${path}/red%2C%20green.md" hidden>`, 'its address can be copied')
  const [, place = ''] = /name="in" value="([^"]*)"/.exec(page) ?? []
  t.equal(place, '&quot;red, green.md&quot;')
  const asked = await browser.get(`/safes/${id}?q=lamp&in=${encodeURIComponent('blue.md, "red, green.md"')}`)
  t.match(asked.body, /lamp<\/mark> is red.*lamp<\/mark> is blue|lamp<\/mark> is blue.*lamp<\/mark> is red/s)
  const alone = await browser.get(`/safes/${id}?q=lamp&in=${encodeURIComponent('"red, green.md"')}`)
  t.match(alone.body, /lamp<\/mark> is red/)
  t.notMatch(alone.body, 'is blue')
})

t.test('a question can be limited to properties (issue 54.9)', async t => {
  const { browser, id } = await open({
    'red.md': '---\nstatus: draft\nrating: 4\n---\nThe lamp is red.',
    'blue.md': '---\nstatus: done\nrating: 4\n---\nThe lamp is blue.',
    'green.md': '---\nstatus: idea\n---\nThe lamp is green.',
  })
  const ask = async (places: string) =>
    (await browser.get(`/safes/${id}?q=lamp&in=${encodeURIComponent(places)}`)).body
  const found = await ask('where:status=draft, where:status=idea, where:rating=4')
  t.match(found, /lamp<\/mark> is red/)
  t.notMatch(found, /is blue|is green/)
  t.match(await ask('where:status=done, blue.md'), /lamp<\/mark> is blue/)
  t.match(await ask('where:constructor=x'), /No note has a property/)
})

t.test('a document says which assistants read which part, and marks it', async t => {
  const { app, ann, browser, get, id } = await open()
  t.match((await get('/work/Plan.md')).body, 'No assistant has read it in the last 30 days.')
  const claude = await app.oauth.issueTokens(ann, { clientName: 'Claude <i>' })
  const read = { safe: id, document: 'Plan', heading: 'Last' }
  await posterOf(app)(claude).tool('svc', read)
  await app.activity.flush()
  const { body } = await get('/work/Plan.md')
  const [, last] = /<section class="place read" id="(p-\d+)">/.exec(body) ?? []
  t.equal(body.match(/class="place read"/g)?.length, 1)
  t.match(body, `/safes/${id}/activity?kind=question&amp;connection=${claude.connectionId}`)
  t.match(body, /Claude &lt;i&gt;.*1×, last <time datetime=/s)
  t.match(body, `<a href="#${last}"><bdi>Later › Last</bdi></a>`)
  const overview = (await browser.get(`/safes/${id}`)).body
  t.match(
    overview,
    /\/Plan\.md"><title>[^<]* · read 1×<\/title><rect class="target t-rarely"/,
    'the map says so',
  )
  t.match(overview, /\/Home\.md"><title>[^<]* · never read<\/title><rect class="target t-never"/)
  t.match(overview, 'Read by assistants in the last 30 days:')
})

t.test('nothing of a document runs or loads, and its original is only downloaded', async t => {
  const { get } = await open()
  const address = '/work/%3Cb%3E%26%3F%23.md'
  const page = await get(address)
  const [, article = ''] = /<article[^>]*>(.*)<\/article>/s.exec(page.body) ?? []
  t.match(article, /<span hidden>[^<]* alert 1 /, 'its words are there')
  t.notMatch(article, /<script|javascript:|<img/)
  t.match(page.headers['content-security-policy'], /default-src 'none'/)
  const original = await get(`${address}?original=1`)
  t.equal(original.body, NOTES['work/<b>&?#.md'])
  t.match(original.headers, {
    'content-type': 'application/octet-stream',
    'content-disposition': "attachment; filename*=UTF-8''%3Cb%3E%26%3F%23.md",
    'x-content-type-options': 'nosniff',
  })
})

t.test('a document that there is not is missing', async t => {
  const { get } = await open()
  t.equal((await get('/nothing.md')).statusCode, 404)
  t.equal((await get('/%00')).statusCode, 400)
})

t.test('passages of answers are rendered, and lead to their place in their document', async t => {
  const { browser, id, path } = await open()
  const answer = (await browser.get(`/safes/${id}?q=first+plan`)).body
  const [, href = ''] = /<a href="(\/safes\/[^"]*\/passages\/p1\.\d+)">/.exec(answer) ?? []
  const place = await browser.get(href)
  t.equal(place.statusCode, 303)
  t.match(place.headers.location, new RegExp(`^${path}/(?:work/Plan|Home)\\.md#p-\\d+$`))
  t.match(answer, /<div class="document excerpt" dir="auto">/)
  t.equal((await browser.get(`/safes/${id}/passages/p9.9`)).statusCode, 404)
  t.equal((await browser.get(`/safes/${id}/passages/x`)).statusCode, 404)
})

t.test(
  'the overview is a map of folders and documents, of types unless there are several documents',
  async t => {
    const { app, ann, browser, id, path } = await open()
    const map = (body: string) => /<svg class="picture map".*?<\/svg>/.exec(body)?.[0] ?? ''
    const drawn = map((await browser.get(`/safes/${id}`)).body)
    for (const href of [`${path}/Home.md`, `${path}/work/Plan.md`, `${path}?folder=work%2F`])
      t.match(drawn, `<a href="${href}"`)
    const sample = await addLighthouse(app, ann)
    const links = [...map((await browser.get(`/safes/${sample.id}`)).body).matchAll(/<a href="([^"]*)"/g)]
    t.ok(links.length > 3)
    for (const [, href = ''] of links) t.equal((await browser.get(href)).statusCode, 200, href)
    const empty = await app.safes.create(ann, 'Empty')
    t.equal(map((await browser.get(`/safes/${empty.id}`)).body), '')
  },
)

t.test('notes of Org mode lead to one another, and are exported as Markdown', async t => {
  const { app, ann, id, path, get } = await open({
    'roam/20240101120000-soup.org':
      ':PROPERTIES:\n:ID: a1b2-soup\n:END:\n#+title: Leek soup\n#+filetags: :food:\n\n* TODO Cook it\n:PROPERTIES:\n:ID: c3d4-cook\n:END:\nHot.\n',
    'home.org':
      'See [[id:a1b2-soup][the soup]], [[id:c3d4-cook][how]] and [[file:roam/20240101120000-soup.org]].\n',
  })
  const soup = `${path}/roam/20240101120000-soup.org`
  const { body } = await get('/home.org')
  t.match(body, `<a href="${soup}">the soup</a>`)
  t.match(body, `<a href="${soup}#b-c3d4-cook">how</a>`)
  t.match(body, `<a href="${soup}">20240101120000-soup</a>`)
  const shown = (await get('/roam/20240101120000-soup.org')).body
  t.match(shown, '<span id="b-c3d4-cook">')
  t.match(shown, /<h1[^>]*>.*Leek soup/s)
  t.notMatch(shown, /PROPERTIES|#\+title/)
  const { chunks } = await app.safes.export(ann, id, 'markdown')
  const archive = await buffer(chunks as AsyncIterable<Uint8Array>)
  t.match(archive.toString('latin1'), 'roam/20240101120000-soup.md')
})

t.test('blocks of Logseq that a page refers to say their text, and lead to their place', async t => {
  const [one, two] = ['1', '2'].map(digit => `65f0c0de-0000-4000-8000-00000000000${digit}`)
  const { path, get } = await open({
    'graph/journals/2026_01_01.md': `- ((${one})) [here](((${two}))) {{embed ((${one}))}} ((65f0c0de-0000-4000-8000-000000000009))\n`,
    'graph/pages/Soup.md': `- ## Leek *soup* & <b>\n  id:: ${one}\n- Hot\n  id:: ${two}\n`,
    'other/pages/Soup.md': `- another one\n  id:: ${one}\n`,
  })
  const soup = `${path}/graph/pages/Soup.md`
  for (let again = 0; again < 2; again++) {
    const { body } = await get('/graph/journals/2026_01_01.md')
    t.match(body, `<a href="${soup}#b-${one}">Leek soup &amp;`)
    t.match(body, `<a href="${soup}#b-${two}">here</a>`)
    t.match(body, `<a class="embed" href="${soup}#b-${one}">Leek soup`)
    t.match(body, '<span class="dead">…</span>')
  }
  const { body } = await get('/graph/pages/Soup.md')
  t.match(body, `<span id="b-${one}">`)
  t.notMatch(body, 'id::')
})

t.test('words in the box limit where a question is looked for', async t => {
  const { browser, id } = await open({
    'in/a.md': 'The lamp is red.',
    'b c/b.md': 'The lamp is blue. #shore',
    'd.md': '---\ndate: 2020-01-01\n---\nThe lamp is green.',
  })
  const asked = async (q: string) => {
    const { body } = await browser.get(`/safes/${id}?${new URLSearchParams({ q })}`)
    return ['red', 'blue', 'green'].filter(
      colour => body.includes(`is ${colour}`) || body.includes(`is <mark>${colour}`),
    )
  }
  t.same(await asked('lamp'), ['red', 'blue', 'green'])
  t.same(await asked('lamp in:in/'), ['red'])
  t.same(await asked('in:"b c/" lamp'), ['blue'])
  t.same(await asked('lamp tag:shore'), ['blue'])
  t.notOk((await asked('lamp after:2021-01-01')).includes('green'))
  t.match(
    (await browser.get(`/safes/${id}?q=lamp+tag%3Ashore`)).body,
    'value="lamp tag:shore"',
    'the box keeps its text',
  )
})
