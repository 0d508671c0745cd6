import t from 'tap'
import { once } from '../../once.js'
import { type Browser, hiddenFields } from './browser.js'
import { add, open as openSignedIn } from './open.js'

const fact = (from: string, relationType: string, to: string) => ({
  type: 'relation',
  from,
  relationType,
  to,
})
const FACTS = [
  fact('Jane Smith', 'leads', 'Lens Restoration'),
  fact('Jane Smith', 'knows', 'Berit <b>Ohr</b>'),
  fact('J. Smith', 'leads', 'Lens Restoration'),
  fact('Lundvik', 'lies by', 'Skerry Light'),
  fact('Lundvik', 'lies by', 'SkerryLight'),
]

const service = once(() => openSignedIn(t))

async function open() {
  const { app, browser, id: ann } = await service()
  const safe = await app.safes.create(ann, 'Harbour')
  await add(app, ann, safe.id, 'facts.jsonl', ...FACTS)
  const path = `/safes/${safe.id}`
  return { app, ann, safe, browser, path, page: `${path}/duplicates` }
}

/** The page once the search has ended. */
async function found(browser: Browser, page: string): Promise<string> {
  for (;;) {
    const { body } = await browser.get(page)
    if (!body.includes('Looking for duplicates')) return body
  }
}

const titles = (body: string) =>
  [...body.matchAll(/<h2 id="pair-\d+"><bdi>([^<]*)<\/bdi>/g)].map(([, title]) => title)

t.test('duplicates are shown with reasons, merged by a button, and offered again after an undo', async t => {
  const { app, ann, safe, browser, path, page } = await open()
  t.match((await browser.get(`${path}/browse`)).body, `<a href="${page}">Likely duplicates</a>`)
  const body = await found(browser, page)
  t.same(titles(body), ['“Skerry Light” and “SkerryLight”', '“Jane Smith” and “J. Smith”'])
  t.match(body, '2 pairs')
  t.match(body, 'the same letters; 1 neighbour in common')
  t.match(body, 'initials; 1 neighbour in common')
  t.match(body, `<a href="${path}/things/lens%20restoration"><bdi>Lens Restoration</bdi></a>`)

  const smiths = { ...hiddenFields(body, page), one: 'jane smith', other: 'j. smith' }
  const merged = await browser.post(page, { ...smiths, decision: 'one' })
  t.match(merged, { statusCode: 303, headers: { location: `${page}?from=0&done=2` } })
  const after = await found(browser, merged.headers.location as string)
  t.match(after, 'Done: merged “J. Smith” into “Jane Smith”.')
  t.match(after, `<a href="${path}/imports/2/undo">Undo`)
  t.same(titles(after), ['“Skerry Light” and “SkerryLight”'])
  t.match(await browser.get(`${path}/things/j.%20smith`), {
    statusCode: 303,
    headers: { location: `${path}/things/jane%20smith` },
  })
  await browser.submit(`${path}/imports/2/undo`, `${path}/imports/2/undo`)
  t.equal(titles(await found(browser, page)).length, 2)
  t.notMatch((await browser.get(`${page}?done=2`)).body, 'Done: merged', 'undone is not done')
  const again = await browser.post(page, { ...smiths, decision: 'other' })
  t.match(again, { statusCode: 303 })
  t.match((await app.safes.imports.list(ann, safe.id))[0], { source: 'merged “Jane Smith” into “J. Smith”' })
  const twice = await browser.post(page, { ...smiths, decision: 'one' })
  t.equal(twice.statusCode, 409)
  t.match(twice.body, /role="alert">\s*<p>These names already belong to one thing/)
})

t.test('what is not the same is not offered again, unless that is undone', async t => {
  const { browser, page } = await open()
  const body = await found(browser, page)
  const fields = { ...hiddenFields(body, page), decision: 'apart' }
  const kept = await browser.post(page, fields)
  t.equal(kept.statusCode, 303)
  const after = await found(browser, kept.headers.location as string)
  t.match(after, 'These two things will not be suggested again.')
  t.same(titles(after), ['“Jane Smith” and “J. Smith”'])
  const undo = hiddenFields(after, page)
  t.match(undo, { one: 'skerry light', other: 'skerrylight' })
  t.match(await browser.post(page, { ...undo, decision: 'again' }), { statusCode: 303 })
  t.equal(titles(await found(browser, page)).length, 2)
})

t.test('the page of a thing merges, splits and adds names', async t => {
  const { browser, path } = await open()
  const thing = `${path}/things/jane%20smith`
  const names = `${path}/names`
  const { body } = await browser.get(thing)
  const fields = hiddenFields(body, names)
  t.match(fields, { thing: 'jane smith', change: 'alias' })
  const alias = await browser.post(names, { ...fields, name: 'The lamp doctor' })
  t.match(alias.headers.location, `${thing}?done=2`)
  t.match(
    (await browser.get(alias.headers.location as string)).body,
    /another name of “Jane Smith”\.[\s\S]*The lamp doctor/,
  )
  const refused = await browser.post(names, { ...fields, change: 'merge', name: 'Nobody <i>' })
  t.equal(refused.statusCode, 409)
  t.match(refused.body, 'Nothing in this Safe is called “Nobody &lt;i&gt;”.')
  t.match(refused.body, 'value="Nobody &lt;i&gt;" data-suggest', 'what was typed is kept')
  const merged = await browser.post(names, { ...fields, change: 'merge', name: 'J. Smith' })
  const after = (await browser.get(merged.headers.location as string)).body
  t.match(
    after,
    /Also called:<\/span>\s*<bdi class="tag">The lamp doctor<\/bdi>\s*<bdi class="tag">J. Smith</,
  )
  const split = { ...fields, change: 'split', name: 'j. smith' }
  t.match(after, 'value="split">Split again')
  t.match(await browser.post(names, split), { statusCode: 303 })
  t.notMatch((await browser.get(thing)).body, 'Split again')
  const nothing = await browser.post(names, split)
  t.equal(nothing.statusCode, 409)
  t.match(nothing.body, 'Nothing was merged with “J. Smith”.')
})
