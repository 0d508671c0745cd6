import t, { type Test } from 'tap'
import { estimateTokens } from '../../../domain/safes/ask/tokens.js'
import { BASE, buildService, fill, importNotes } from './service.js'

const LONG = Array.from({ length: 4_000 }, (_, at) => `Line ${at} is about ballast and keels.`).join('\n')
const NOTES = {
  'boats/Aurora.md':
    '---\ntags: [boat]\ndate: 2026-02-03\n---\n# Aurora\n\nThe Aurora is repaired at the northern shipyard.\n',
  'boats/Log.md': `# Log\n\n${LONG}\n`,
}

const { app, ann, bob, harbour, garden, office, issue, poster } = await buildService(t)
await importNotes(app, ann, harbour, NOTES)
await fill(app, ann, garden)
await fill(app, bob, office)
await app.database.write(trx => trx.deleteFrom('documents').where('safe_id', '=', garden).execute())
const { tool } = poster(await issue(ann, { hasSearch: true }))
/** Like a client that uses only these two tools: the text content is the same JSON. */
async function call(t: Test, name: 'search' | 'fetch', args: object) {
  const { structuredContent, content, isError } = await tool(name, { ...args })
  if (isError) return { error: content[0].text }
  t.equal(content.length, 1)
  t.same(JSON.parse(content[0].text), structuredContent)
  return structuredContent
}

t.test('R5 search finds documents in all Safes of the connection, and fetch reads them', async t => {
  const { results } = await call(t, 'search', { query: 'Where is the Aurora repaired?' })
  t.same(Object.keys(results[0]), ['id', 'title', 'url'])
  const [first] = results.filter(({ id }: { id: string }) => id.startsWith(harbour))
  t.match(first, {
    id: `${harbour}/boats/Aurora.md`,
    url: `${BASE}/safes/${harbour}/documents/boats/Aurora.md`,
  })
  t.strictSame(await call(t, 'fetch', { id: first.id }), {
    id: first.id,
    title: 'Aurora',
    text: NOTES['boats/Aurora.md'],
    url: `${BASE}/safes/${harbour}/documents/boats/Aurora.md`,
    metadata: { safe: 'Harbour', path: 'boats/Aurora.md', date: '2026-02-03', tags: 'boat' },
  })
  const crane = await call(t, 'search', { query: 'crane' })
  t.match(crane.results, [{ id: new RegExp(`^${garden}~`) }])
})

t.test('R5, X10 a long document goes on under the id in "next", within the limit', async t => {
  let id = `${harbour}/boats/Log.md`
  let whole = ''
  for (let pages = 0; id && pages < 20; pages++) {
    const { text, metadata } = await call(t, 'fetch', { id })
    t.ok(estimateTokens(JSON.stringify(text)) <= 20_000)
    whole += text
    id = metadata.next
  }
  t.equal(whole, NOTES['boats/Log.md'])
})

t.test('R5 what only has facts or belongs to no document can be fetched, too', async t => {
  const { results } = await call(t, 'search', { query: 'crane' })
  const [{ id, url }] = results
  t.match(url, `${BASE}/safes/${garden}/passages/`)
  t.match(await call(t, 'fetch', { id }), { text: /harbour crane/, metadata: { safe: 'Garden' } })
  t.match(await call(t, 'fetch', { id: `${garden}!Harbour project` }), { text: /works on/ })
})

t.test('S2, R5 an id of another Safe does not open, whether it exists or not', async t => {
  const unknown = 'Error: There is nothing with this id that this connection can read. Search again.'
  for (const id of [`${office}/memory.jsonl`, `${office}~p1.1`, `${office}!Ada`, 'x', `${'a'.repeat(22)}/x`])
    t.same(await call(t, 'fetch', { id }), { error: unknown }, id)
  const { results } = await call(t, 'search', { query: 'Ada crane' })
  t.notOk(results.some(({ id }: { id: string }) => id.startsWith(office)))
  const limited = poster(await issue(ann, { hasSearch: true, chosenSafeIds: [garden], onlyChosenSafe: true }))
  const refused = await limited.tool('fetch', { id: `${harbour}/boats/Aurora.md` })
  t.match(refused, { isError: true, content: [{ text: unknown }] })
  t.notMatch(JSON.stringify(await limited.tool('search', { query: 'Aurora' })), harbour)
})

t.test('R7 what was read is recorded', async t => {
  await call(t, 'fetch', { id: `${harbour}/boats/Aurora.md` })
  await app.activity.flush()
  const rows = await app.database.read
    .selectFrom('activity')
    .where('detail', '=', 'document')
    .selectAll()
    .execute()
  t.match(rows.at(-1), { kind: 'question', account_id: ann, safe_id: harbour, question: 'boats/Aurora.md' })
})
