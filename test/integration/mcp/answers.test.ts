import { Readable } from 'node:stream'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import t from 'tap'
import { rpc } from '../../unit/mcp/domain.js'
import { buildService, fill } from './service.js'

const structured = { 'mcp-protocol-version': '2025-06-18' }

const { app, ann, bob, harbour, garden, office, issue, poster } = await buildService(t)
await fill(app, ann, harbour)

t.test('the three tools answer from the real Safes', async t => {
  const { tool } = poster(await issue(ann))
  const listed = await tool('svc_list_safes', {})
  const ids = listed.structuredContent.safes.map((safe: { id: string }) => safe.id)
  t.same(ids.sort(), [harbour, garden].sort())
  t.match(await tool('svc', { query: 'Ada' }), { isError: true, content: [{ text: /svc_select_safe/ }] })
  t.match(await tool('svc_select_safe', { safe: harbour }), {
    structuredContent: { safe: { id: harbour } },
  })
  const { structuredContent } = await tool('svc', { query: 'What does Ada work on?' })
  t.match(structuredContent, { safe: { id: harbour, name: 'Harbour' } })
  t.match(structuredContent.facts, [{ subject: 'Ada', predicate: 'works on', object: 'Harbour project' }])
  const [{ text }] = (await tool('svc', { query: 'What does Ada work on?' })).content
  t.match(text, /Ada . works on . Harbour project/)
  const { safes } = (await tool('svc_list_safes', {})).structuredContent
  const active = safes.filter((safe: { active: boolean }) => safe.active)
  t.match(active, [{ id: harbour, entities: 2, relations: 1, passages: 1 }])
  t.equal(active.length, 1)
})

t.test('passages and facts of a time are in both forms, as outputSchema says (GRAPH §3.6, §5)', async t => {
  const { id } = await app.safes.create(ann, 'Diary')
  const texts = ['The boat left.', 'The storm came.', 'The boat came back.']
  const passages = texts.map((_, i) => ({ seq: i, time: Date.UTC(2026, 4, 1 + i, i) }))
  const works = { type: 'relation', from: 'Ada', relationType: 'works for' }
  const lines = [
    { type: 'entity', name: 'Diary', entityType: 'book', observations: texts, passages },
    { ...works, to: 'Acme', validFrom: '2015' },
    { ...works, to: 'Bell', validFrom: '2018-06', learnedOn: '2024-01-31' },
  ]
  const bytes = Readable.from([lines.map(line => JSON.stringify(line)).join('\n')])
  await app.safes.imports.add(ann, id, { source: 'diary.jsonl', bytes, commit: true })
  await app.safes.singleValued.set(ann, id, 'works for', true)
  const { tool, post } = poster(await issue(ann))
  const { tools } = (await post(rpc(1, 'tools/list'), structured)).body.result
  const { outputSchema } = tools.find((tool: { name: string }) => tool.name === 'svc')
  const ask = async (args: object) => {
    const { structuredContent, content } = await tool('svc', { safe: id, ...args })
    t.ok(new AjvJsonSchemaValidator().getValidator(outputSchema)(structuredContent).valid)
    return { ...structuredContent, text: content[0].text }
  }
  const around = { before: 'The boat left.', after: 'The boat came back.' }
  t.match(await ask({ query: 'storm', since: '2026-05-02', until: '2026-05-02' }), {
    total: 1,
    passages: [{ text: 'The storm came.', time: '2026-05-02T01:00:00Z', ...around }],
    text: / before: The boat left\.\n after: The boat came back\.$/,
  })
  t.match(await ask({ query: 'Ada', as_of: '2018-05' }), {
    facts: [{ object: 'Acme', valid_from: '2015', valid_to: '2018-06', superseded: true }],
    text: /Ada — works for → Acme \(2015 – 2018-06, superseded\)/,
  })
  t.match(await ask({ query: 'Ada', as_of: '2019' }), {
    facts: [{ object: 'Bell', valid_from: '2018-06', learned_on: '2024-01-31' }],
    text: /Ada — works for → Bell \(since 2018-06, learned 2024-01-31\)/,
  })
  const refusals: [args: object, sentence: RegExp][] = [
    [{ since: 'T' }, /^"since" is a date like 2026-05-01/],
    [{ query: 'Ada', as_of: 'soon' }, /^"as_of" is a date like 2026-05-01/],
    [{ mode: 'overview', since: '2026-05-02' }, /apply to mode "search" or "entity"/],
  ]
  for (const [args, sentence] of refusals)
    t.match(await tool('svc', { safe: id, ...args }), { isError: true, content: [{ text: sentence }] })
  await app.safes.removal.remove(ann, id)
})

t.test('DESIGN §5.3 two sessions of one connection do not disturb each other', async t => {
  const connection = poster(await issue(ann))
  const one = { 'mcp-session-id': await connection.initialize() }
  await connection.tool('svc_select_safe', { safe: harbour }, one)
  const two = { 'mcp-session-id': await connection.initialize() }
  const safeOf = async (headers: Record<string, string> = {}) =>
    (await connection.tool('svc', { query: 'Ada' }, headers)).structuredContent.safe.id
  t.equal(await safeOf(two), harbour, 'a session begins with the connection’s selection')
  await connection.tool('svc_select_safe', { safe: garden }, two)
  t.equal(await safeOf(two), garden)
  t.equal(await safeOf(one), harbour, 'the other session is as it was')
  t.equal(await safeOf(), garden, 'the connection has the latest')
})

t.test('S2, X11 no connection reaches another account’s Safe, or one beside a pinned one', async t => {
  const anns = poster(await issue(ann))
  t.equal((await anns.tool('svc', { query: 'x', safe: office })).isError, true)
  t.equal((await anns.tool('svc_select_safe', { safe: office })).isError, true)
  const bobs = poster(await issue(bob))
  t.equal((await bobs.tool('svc_list_safes', {})).structuredContent.safes.length, 1)
  const pinned = poster(await issue(ann, {}, { safeId: harbour }), `/mcp/v1/${harbour}`)
  t.match((await pinned.tool('svc_list_safes', {})).structuredContent, { safes: [{ id: harbour }] })
  t.equal((await pinned.tool('svc', { query: 'x', safe: garden })).isError, true)
  t.match((await pinned.tool('svc', { query: 'Ada' })).structuredContent, { safe: { id: harbour } })
  const strangers = poster(await issue(bob, {}, { safeId: harbour }), `/mcp/v1/${harbour}`)
  t.match(await strangers.tool('svc', { query: 'Ada' }), { isError: true })
})

t.test('membership is checked at every use: a Safe no longer shared is passed over', async t => {
  const bobs = poster(await issue(bob))
  await app.safes.members.share(ann, harbour, bob, 'reader')
  await bobs.tool('svc_select_safe', { safe: harbour })
  t.equal((await bobs.tool('svc', { query: 'Ada' })).structuredContent.safe.id, harbour)
  await app.safes.members.unshare(ann, harbour, bob)
  t.equal((await bobs.tool('svc', { query: 'Ada' })).structuredContent.safe.id, office)
})
