import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { build, dataDir } from '../../helper.js'
import { until } from '../redis/servers.js'
import { Browser } from './browser.js'
import { fact, jsonl } from './filled.js'

/** Ann, signed in. */
async function open(t: Test, options: Parameters<typeof build>[1] = {}) {
  const app = await build(t, options)
  const browser = new Browser(app)
  await browser.signIn('ann@example.org')
  const ann = (await app.accounts.findByEmail('ann@example.org'))?.id ?? ''
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

const many = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name} ${at}`)

t.test('one search finds Safes and things in all Safes, with links to ask them', async t => {
  const { app, ann, find } = await open(t)
  const { id: sample } = await app.safes.createSample(ann)
  const optics = await fill(app, ann, 'Lens makers', 'Ada', 'A lens of glass', 'Telescope')
  const page = await find('Lens')
  t.match(page, `<a href="/safes/${optics}"><bdi>Lens makers</bdi></a>`)
  t.match(page, `<a href="/safes/${optics}?q=Lens">`)
  t.match(
    page,
    `<a class="name" href="/safes/${sample}/things/lens%20restoration"><bdi>Lens Restoration</bdi></a>`,
  )
  t.match(page, `<a href="/safes/${sample}/browse?type=project"><bdi>project</bdi></a>`)
  t.match(page, `<a class="name" href="/safes/${optics}/things/a%20lens%20of%20glass">`)
  t.match(page, `<a class="row-action" href="/safes/${sample}?q=Lens">`)
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
  t.match(page, 'No Safe and no thing has a name')
  t.match((await new Browser(app).get('/search?q=Lens')).headers.location, /^\/login/)
})

t.test('without text it says what can be found; without a result it offers to ask', async t => {
  const { app, browser, ann, find } = await open(t)
  for (const url of ['/search', '/search?q=', '/search?q=+'])
    t.match((await browser.get(url)).body, 'Enter the beginning of a word of a name')
  t.match(
    await find('Who leads?'),
    'No Safe and no thing has a name with a word that begins with “Who leads?”.',
  )
  const id = await fill(app, ann, 'Household', 'Bo')
  const page = await find('Who leads?')
  t.match(page, /Ask a Safe instead/)
  t.match(page, `<a href="/safes/${id}?q=Who+leads%3F"><bdi>Household</bdi></a>`)
  t.equal((await browser.get(`/search?q=${'x'.repeat(201)}`)).statusCode, 400)
})

t.test('each Safe shows the likeliest five, Safes with exactly this name come first', async t => {
  const { app, ann, find } = await open(t)
  const first = await fill(app, ann, 'Many', ...many(9, 'Lens'))
  await fill(app, ann, 'One', 'Lens')
  for (const name of many(9, 'Other')) await fill(app, ann, name, 'Lens number nine')
  const page = await find('lens')
  const groups = [...page.matchAll(/Things in <bdi>([^<]*)</g)].map(([, name]) => name)
  t.strictSame(groups.slice(0, 3), ['One', 'Many', 'Other 0'])
  t.equal(groups.length, 8)
  t.match(page, '3 more Safes have things with names like this.')
  t.equal(page.split(`/safes/${first}/things/`).length - 1, 5)
  t.match(page, `<a href="/safes/${first}/browse?search=lens">All names like this`)
})

t.test('a Safe too large to be opened is named instead, until its index is in memory', async t => {
  const place = { setUp: 'embedded' as const, env: { DATA_DIR: dataDir(t) } }
  const before = await open(t, place)
  const id = await fill(before.app, before.ann, 'Large', ...many(3_000, 'Lens'))
  t.match(await before.find('lens 7'), /Things in <bdi>Large/, 'the import has opened it')
  await before.app.close()
  const { app, ann, find } = await open(t, place)
  const page = await find('lens 7')
  t.match(page, /No Safe and no thing that was searched has a name.*Not searched/s)
  t.match(page, `<a href="/safes/${id}/browse?search=lens+7"><bdi>Large</bdi></a>`)
  await app.safes.browse.suggest(ann, id, 'lens', 1)
  t.notMatch(await find('lens 7'), 'Not searched')
})

t.test('a Safe larger than the memory for indexes is never searched', async t => {
  const { app, ann, find } = await open(t, { env: { INDEX_CACHE_MB: '1' } })
  const names = many(20_000, 'Lens with a long name of its own')
  const id = await fill(app, ann, 'Huge', ...names)
  await app.safes.browse.suggest(ann, id, 'lens', 1)
  t.match(await find('lens'), /Not searched.*Huge/s)
})

t.test('after a restart a search opens small Safes, those that fit first, and the next one more', async t => {
  const place = { setUp: 'embedded' as const, env: { DATA_DIR: dataDir(t) } }
  const before = await open(t, place)
  for (const name of many(12, 'Safe')) await fill(before.app, before.ann, name, ...many(290, 'Lens'))
  await before.app.close()
  const { find } = await open(t, place)
  const unsearched = async () => {
    const page = await find('lens 2')
    return page.match(/browse\?search=lens\+2"><bdi>Safe/g)?.length ?? 0
  }
  const first = await unsearched()
  t.ok(first >= 4, `at most 8 of 580 rows are opened at once: ${first} left`)
  // How many each search opens depends on how long the first of them take.
  await until(async () => (await unsearched()) === 0)
})

t.test('a search in very many Safes for a long text is a page of less than 100 kB', async t => {
  const { app, ann, find } = await open(t)
  const text = '燈台守'.repeat(67).slice(0, 200)
  for (const name of many(12, '燈'.repeat(90))) await fill(app, ann, name, ...many(6, text))
  for (const name of many(40, text.slice(0, 96))) await app.safes.create(ann, name)
  const page = await find(text)
  t.match(page, '4 more Safes have things')
  t.ok(Buffer.byteLength(page) < 100_000, `${Buffer.byteLength(page)} bytes`)
})
