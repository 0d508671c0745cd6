import t from 'tap'
import { buildService, fill } from './service.js'

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

t.test('ADR 17 a question to the only Safe of an account does not count its content', async t => {
  await fill(app, bob, office)
  const { tool } = poster(await issue(bob))
  t.match((await tool('svc', { query: 'Ada' })).structuredContent, { safe: { id: office } })
  await app.safes.idle()
  const countedVersion = async () => {
    const row = app.database.read.selectFrom('safes').where('id', '=', office).select('counted_version')
    return (await row.executeTakeFirstOrThrow()).counted_version
  }
  t.equal(await countedVersion(), -1)
  await tool('svc_list_safes', {})
  t.equal(await countedVersion(), 1, 'a list counts it')
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

t.test('membership is checked at every use: a Safe no longer shared is passed over', async t => {
  const bobs = poster(await issue(bob))
  await app.safes.members.share(ann, harbour, bob, 'reader')
  await bobs.tool('svc_select_safe', { safe: harbour })
  t.equal((await bobs.tool('svc', { query: 'Ada' })).structuredContent.safe.id, harbour)
  await app.safes.members.unshare(ann, harbour, bob)
  t.equal((await bobs.tool('svc', { query: 'Ada' })).structuredContent.safe.id, office)
})
