import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import type { BuildOptions } from '../../helper.js'
import { addLighthouse } from '../../lighthouse.js'
import { Browser } from './browser.js'
import { fact, jsonl } from './filled.js'
import { open as openSignedIn } from './open.js'

/** Ann, signed in. */
async function open(t: Test, options: BuildOptions = {}) {
  const { app, browser, id: ann } = await openSignedIn(t, options)
  const find = async (text: string) => {
    const page = await browser.get(`/search?${new URLSearchParams({ q: text })}`)
    t.equal(page.statusCode, 200, text)
    return page.body
  }
  return { app, browser, ann, find }
}

/** A Safe in which somebody knows each of these names. */
async function fill(app: FastifyInstance, accountId: string, name: string, ...names: string[]) {
  const { id } = await app.safes.create(accountId, name)
  const bytes = jsonl(...names.map(other => fact('Somebody', other)))
  await app.safes.imports.add(accountId, id, { source: 'a.jsonl', bytes, commit: true })
  return id
}

const file = (path: string, text: string) => ({
  path,
  open: async () => Readable.from([Buffer.from(text)]),
})

const many = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name} ${at}`)

t.test('one search finds Safes and things in all Safes, with links to ask them', async t => {
  const { app, ann, find } = await open(t)
  const { id: sample } = await addLighthouse(app, ann)
  const optics = await fill(app, ann, 'Lens makers', 'Ada', 'A lens of glass', 'Telescope')
  const page = await find('Lens')
  t.match(page, `<a href="/safes/${optics}"><bdi>Lens makers</bdi></a>`)
  t.match(page, `href="/safes/${optics}?q=Lens"`)
  t.match(
    page,
    `<a class="name" href="/safes/${sample}/things/lens%20restoration" dir="auto">Lens Restoration</a> <span class="tag"><bdi>project</bdi></span>`,
  )
  t.match(page, `<a class="name" href="/safes/${optics}/things/a%20lens%20of%20glass" dir="auto">`)
  t.match(page, `<a href="/safes/${sample}?q=Lens"><bdi>Lighthouse cooperative</bdi></a>`)
  t.notMatch(page, /Telescope|Not searched|Ask a Safe instead/)
  t.match(page, /<input id="everything" name="q"[^>]* value="Lens"/)
})

t.test('S2 a search finds nothing of other people, from the moment they stop sharing', async t => {
  const { app, ann, find } = await open(t)
  const eve = (await app.accounts.add('eve@example.org', 'correct horse battery')).id
  const secret = await fill(app, eve, 'Lens secrets', 'Lens of Eve')
  t.notMatch(await find('Lens'), /secrets|of Eve/)
  await app.safes.members.share(eve, secret, ann, 'reader')
  t.match(await find('Lens'), /Lens secrets.*Lens of Eve/s)
  await app.safes.members.unshare(eve, secret, ann)
  const page = await find('Lens')
  t.notMatch(page, /secrets|of Eve/)
  t.match(page, 'None of your Safes has an answer to this.')
  t.match((await new Browser(app).get('/search?q=Lens')).headers.location, /^\/login/)
})

t.test(
  'the answer page asks all Safes and leads with the best sentence (UX, One box; An answer)',
  async t => {
    const { app, browser, ann, find } = await open(t)
    for (const url of ['/search', '/search?q=', '/search?q=+'])
      t.match((await browser.get(url)).body, 'Ask a question, or enter the name')
    t.match(await find('Who leads?'), 'None of your Safes has an answer to this.')
    const { id: sample } = await addLighthouse(app, ann)
    const other = await fill(app, ann, 'Household', 'Bo')
    const page = await find('Why lime, not cement, for the mortar?')
    t.match(page, /<p class="said">[^<]*<mark>/)
    t.match(page, `href="/safes/${sample}?q=Why+lime`)
    t.notMatch(page, `href="/safes/${other}?q=`, 'a Safe that says nothing of it is left out')
    t.match(await find('the capital of Mongolia'), 'None of your Safes has an answer to this.')
    t.match(
      (await browser.get(`/safes/${sample}?q=the+capital+of+Mongolia`)).body,
      /This Safe has no answer to this\.|Nothing found\./,
    )
    t.equal((await browser.get(`/search?q=${'x'.repeat(1_001)}`)).statusCode, 400)
  },
)

t.test(
  'the box suggests things, documents by any word of their names, Safes and pages (UX, One box)',
  async t => {
    const { app, browser, ann } = await open(t)
    const id = await fill(app, ann, 'Lens makers', 'A lens of glass')
    const files = { files: [file('optics/Grinding a lens.md', 'How to.')], problems: [] }
    await app.safes.imports.add(ann, id, { source: 'notes', files, commit: true })
    const suggested = async (query: string) => (await browser.get(`/suggest?${query}`)).json().names
    const names = (await suggested('q=lens')).map(({ href }: { href: string }) => href)
    t.ok(names.includes(`/safes/${id}/things/a%20lens%20of%20glass`))
    t.ok(names.includes(`/safes/${id}/documents/optics/Grinding%20a%20lens.md`))
    t.ok(names.includes(`/safes/${id}`))
    t.notOk(
      (await suggested(`q=lens&in=${id}`)).some(({ href }: { href: string }) => href === `/safes/${id}`),
    )
    t.match(await suggested('q=conn'), [{ href: '/connections' }])
    const eve = new Browser(app)
    await eve.signIn('eve@example.org')
    t.same((await eve.get(`/suggest?q=lens&in=${id}`)).json().names, [], 'S2 nothing of strangers')
  },
)

t.test('each Safe shows the likeliest five, Safes with exactly this name come first', async t => {
  const { app, ann, find } = await open(t)
  const first = await fill(app, ann, 'Many', ...many(9, 'Lens'))
  await fill(app, ann, 'One', 'Lens')
  for (const name of many(9, 'Other')) await fill(app, ann, name, 'Lens number nine')
  const page = await find('lens')
  const named = page.slice(page.indexOf('data-walk'), page.indexOf('<aside'))
  const groups = [...named.matchAll(/in <a href="[^"]*"><bdi>([^<]*)</g)].map(([, name]) => name)
  t.strictSame([...new Set(groups)].slice(0, 3), ['One', 'Many', 'Other 0'])
  t.equal(new Set(groups).size, 8)
  t.match(page, '3 more Safes have things with similar names.')
  t.equal(named.split(`/safes/${first}/things/lens`).length - 1, 5)
  t.match(page, `<a href="/safes/${first}/browse?search=lens">All similar names`)
})

t.test('in:, tag:, after: and type: limit a search of all Safes (issue 57.9)', async t => {
  const { app, browser, ann, find } = await open(t)
  const id = await fill(app, ann, 'Lens makers', 'Lens of Bo')
  const files = {
    files: [
      file('optics/Grinding.md', '---\ntags: [glass]\ndate: 2024-02-01\n---\nHow the lens is ground.'),
      file('old/Casting.md', '---\ntags: [glass]\ndate: 2019-02-01\n---\nHow the lens was cast.'),
    ],
    problems: [],
  }
  await app.safes.imports.add(ann, id, { source: 'notes', files, commit: true })
  const other = await fill(app, ann, 'Household', 'Lens cloth')
  const glass = await find('tag:glass')
  t.match(glass, /Grinding\.md[\s\S]*/)
  t.match(glass, 'old/Casting.md')
  const later = await find('tag:glass after:2022')
  t.match(later, 'optics/Grinding.md')
  t.notMatch(later, 'old/Casting.md')
  const ground = await find('How is the lens ground? in:optics')
  t.match(ground, /<p class="said">[^<]*<mark>/)
  t.notMatch(ground, /were not asked|Lens cloth/, 'a Safe without this folder is passed over')
  t.notMatch(await find('lens type:animal'), '/things/lens')
  const one = await browser.get(`/search?${new URLSearchParams({ q: 'lens in:household' })}`)
  t.match(one, { statusCode: 303, headers: { location: `/safes/${other}?q=lens` } })
  const completed = async (text: string) =>
    (await browser.get(`/suggest?${new URLSearchParams({ q: text })}`))
      .json()
      .names.map(({ fill }: { fill: string }) => fill)
  t.same(await completed('lens tag:gl'), ['tag:glass '])
  t.same(await completed('in:hou'), ['in:Household '])
})

t.test('a Safe larger than the memory for indexes is never searched', async t => {
  const { app, ann, find } = await open(t, { env: { INDEX_CACHE_MB: '1' } })
  const names = many(4_000, `Lens with a long name of its own, ${'which goes on, '.repeat(15)}`)
  const id = await fill(app, ann, 'Huge', ...names)
  await app.safes.browse.suggest(ann, id, 'lens', 1)
  t.match(await find('lens'), /Not searched.*Huge/s)
})

t.test('a field that no page has may come several times, and is no question (S4)', async t => {
  const { app, browser, ann } = await open(t)
  const id = await fill(app, ann, 'Lens makers', 'Ada')
  for (const query of ['x=1&x=2', 'q=Ada&x=1&x=2', '__proto__=1&__proto__=2'])
    t.equal((await browser.get(`/safes/${id}?${query}`)).statusCode, 200, query)
})
