import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { addLighthouse } from '../../lighthouse.js'
import { once } from '../../once.js'
import { fact } from './filled.js'
import { add, open as openSignedIn, walk } from './open.js'

const service = once(() => openSignedIn(t))

/** Ann with the sample. */
async function open(t: Test) {
  const { app, browser, id: ann } = await service()
  const { id } = await addLighthouse(app, ann)
  const path = `/safes/${id}`
  const body = async (rest: string) => {
    const page = await browser.get(`${path}${rest}`)
    t.equal(page.statusCode, 200, rest)
    return page.body
  }
  return { app, browser, ann, id, path, body }
}

/** The texts of the links of a table. */
const rowsOf = (page: string) =>
  [...page.matchAll(/<tr>\s*<td><a href="[^"]*"><bdi>([^<]*)<\/bdi>/g)].map(([, name]) => name)

t.test('a Safe can be looked through by type, relation, file and passage', async t => {
  const { body, path } = await open(t)
  const all = await body('/browse')
  t.equal(rowsOf(all).length, 46)
  t.match(all, `<a href="${path}/browse?type=person"><bdi>person</bdi></a> <span class="muted">11</span>`)
  t.match(all, `<a href="${path}/browse?relation=lives+in">`)
  t.match(all, `<a href="${path}/browse?source=lighthouse-cooperative.jsonl">`)
  const people = rowsOf(await body('/browse?type=Person'))
  t.equal(people.length, 11)
  t.strictSame(people, people.toSorted())
  t.equal(rowsOf(await body('/browse?sort=relations'))[0], 'Skerry Light Cooperative')
  t.strictSame(rowsOf(await body('/browse?search=lens')), ['Fresnel lens', 'Lens Restoration'])
  t.equal(rowsOf(await body('/browse?relation=lives+in')).length, 9)
  t.equal(rowsOf(await body('/browse?source=lighthouse-cooperative.jsonl')).length, 46)
  t.match(await body('/browse?passages=1'), /<article class="passage">.*Show more/s)
  t.match(await body('/browse?list=relations'), 'Most frequent first')
  t.match(await body('/browse?type=dragon'), 'There are no things here.')
  t.match(await body('/browse?search=zzz'), 'No name has a word that begins with “zzz”.')
  t.match(await body('/browse?source=nothing.md'), 'The contents of this file cannot be listed')
})

t.test('the page of a thing: picture, relations with their sources, passages, other names', async t => {
  const { app, ann, id, body, path } = await open(t)
  await add(app, ann, id, 'more.jsonl', fact('Lens Restoration', 'Ada'))
  const page = await body('/things/lens%20restoration')
  t.match(page, '<h1><bdi>Lens Restoration</bdi></h1>')
  t.match(page, `<a href="${path}/browse?type=project"><bdi>project</bdi></a>`)
  t.match(page, /<svg class="picture"[^>]* aria-label="Lens Restoration and its 8 neighbours">/)
  t.match(page, `<a href="${path}/things/jonas%20lindqvist" data-n="`)
  t.match(page, `<th scope="rowgroup" rowspan="1"><a href="${path}/browse?relation=knows">`)
  t.match(page, `<a href="${path}/browse?source=more.jsonl"><bdi>more.jsonl</bdi></a>`)
  t.match(page, /Passages about it.*38 cracked prisms/s)
  t.match(await body('/things/north%20skerry%20light'), /Mentioned in/)
})

t.test('aliases of a thing are listed, from whatever import', async t => {
  const { app, ann, id, body } = await open(t)
  for (const alias of ['The old ferry', 'MV Petrel'])
    await add(app, ann, id, `${alias}.jsonl`, { type: 'alias', name: 'Petrel', alias })
  t.match(await body('/things/petrel'), /Also called:.*<bdi class="tag">The old ferry<\/bdi>.*MV Petrel/s)
})

t.test(
  'a name leads to the address of its thing; one that several have to a choice; none to 404',
  async t => {
    const { app, ann, id, browser, path } = await open(t)
    const at = (url: string) => browser.get(`${path}${url}`)
    for (const [name, location] of [
      ['?name=petrel', '/things/petrel'],
      ['/Lens%20Restoration', '/things/lens%20restoration'],
      ['?name=lens', '/browse?search=lens'],
      ['?name=+', '/browse'],
    ])
      t.match(await at(`/things${name}`), { statusCode: 303, headers: { location: `${path}${location}` } })
    const unknown = await at('/things/petrell')
    t.equal(unknown.statusCode, 404)
    t.match(unknown.body, /Thing not found.*things\/petrel".*See what’s in this Safe/s)
    const label = '<http://www.w3.org/2000/01/rdf-schema#label>'
    const text = ['bank.n.01', 'bank.n.02'].map(key => `<http://x/${key}> ${label} "bank" .`).join('\n')
    await app.safes.imports.add(ann, id, { source: 'a.nt', bytes: Readable.from([text]), commit: true })
    const several = await at('/things/bank')
    t.equal(several.statusCode, 200)
    t.match(several.body, /Which “bank”\?.*things\/bank\.n\.01.*things\/bank\.n\.02/s)
  },
)

t.test('keys of every form are addresses', async t => {
  const { app, ann, id, browser, body } = await open(t)
  const names = [
    'a/b',
    '100%',
    '?x=1#y',
    '東京タワー',
    'مغارة',
    'it\'s "quoted" & <b>',
    `long ${'x'.repeat(900)}`,
    '..',
    '+ + +',
  ]
  await add(app, ann, id, 'odd.jsonl', ...names.map(name => fact('Odd', name)))
  const page = await body('/things/odd')
  const hrefs = [...page.matchAll(/<td><a href="([^"]*)"><bdi>/g)].map(([, href]) =>
    href!.replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
  )
  t.equal(hrefs.length, names.length)
  for (const href of hrefs) {
    const there = await browser.get(href)
    t.equal(there.statusCode, 200, href.slice(0, 80))
    t.match(there.body, href.includes('search=..') ? 'Names with “..”' : 'Odd')
  }
})

t.test('a path from a thing to a name is drawn; an unknown name has similar ones', async t => {
  const { body } = await open(t)
  const path = await body('/things/marit%20solberg?to=Moreau+Glassworks')
  t.match(path, /shortest path has 3 relations|shortest paths have 3 relations/)
  t.match(path, /<div class="chains">\s*<svg.*Marit Solberg.*Moreau Glassworks.*<\/svg>/s)
  t.match(
    await body('/things/marit%20solberg?to=Moreu+Glasworks'),
    /Nothing in this Safe is called “Moreu Glasworks”.*Similar names:.*Moreau Glassworks/s,
  )
})

t.test('the relations of a hub are paged, and every page has other ones', async t => {
  const { app, ann, id, browser, body, path } = await open(t)
  await add(app, ann, id, 'hub.jsonl', ...Array.from({ length: 130 }, (_, at) => fact('Hub', `Node ${at}`)))
  const page = await body('/things/hub')
  t.match(page, '+ 90 more')
  const [, all = ''] = page.match(/<a class="small" href="([^"]*)">All 130<\/a>/) ?? []
  const { found, pages } = await walk(browser, all.replaceAll('&amp;', '&'), /<bdi>(Node \d+)<\/bdi>/g)
  t.strictSame([new Set(found).size, pages], [130, 3])
  t.match((await browser.get(`${path}/browse?source=hub.jsonl`)).body, 'Show more')
})

t.test('suggestions are at most eight names with addresses', async t => {
  const { browser, path } = await open(t)
  const got = await browser.get(`${path}/suggest?q=le`)
  t.match(got.headers, { 'content-type': /application\/json/, 'cache-control': 'no-store' })
  t.equal(got.headers['access-control-allow-origin'], undefined)
  const { names } = got.json()
  t.ok(names.length > 0 && names.length <= 8)
  t.ok(names.some((item: { href: string }) => item.href === `${path}/things/lens%20restoration`))
  t.equal((await browser.get(`${path}/suggest?q=s`)).json().names.length, 8)
  t.equal((await browser.get(`${path}/suggest?q=${'x'.repeat(201)}`)).statusCode, 400)
})

t.test('the Ask page begins with questions, types and the best connected things', async t => {
  const { app, ann, browser, body, path } = await open(t)
  const sample = `/safes/${(await app.safes.createSample(ann)).id}`
  t.match((await browser.get(sample)).body, `href="${sample}?q=Who+leads+the+Lens+Restoration%3F"`)
  t.match(
    await body(''),
    `<a href="${path}/things/skerry%20light%20cooperative"><bdi>Skerry Light Cooperative</bdi></a> <span class="muted">16</span>`,
  )
  const { id } = await app.safes.create(ann, 'Own')
  await add(app, ann, id, 'a.jsonl', fact('Ada', 'Bo'), fact('Ada', 'Cy'))
  const own = (await browser.get(`/safes/${id}`)).body
  t.match(own, 'What is known about Ada?')
  t.match(own, 'How is Ada connected with Bo?')
  t.match(
    (await browser.get(`/safes/${id}?q=How+is+Ada+connected+with+Bo%3F`)).body,
    new RegExp(
      `Ada</bdi></a>\\s*<a href="/safes/${id}/browse\\?relation=knows">— knows →</a>.*Bo</bdi>`,
      's',
    ),
  )
})

t.test('settings: the name, the address, the export and the removal', async t => {
  const { body, browser, path } = await open(t)
  t.match(await body('/settings'), /Rename.*mcp\/v1\/.*Export.*Remove this Safe/s)
  const refused = await browser.submit(`${path}/settings`, `${path}/rename`, { name: '' })
  t.equal(refused.statusCode, 400)
  t.match(refused.body, /role="alert".*name must have 1 to/s)
})
