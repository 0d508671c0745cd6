import t, { type Test } from 'tap'
import { ActivityStore } from '../../../domain/activity/stores/activity.sql.js'
import { DocumentReadStore } from '../../../domain/activity/stores/document-reads.sql.js'
import { testClock } from '../../helper.js'
import { buildService, importNotes } from '../mcp/service.js'

const DAY_MS = 24 * 3_600_000
const NOTES = {
  'work/Plan.md': '# The plan\n\n## Aims\n\nThe crane lifts granite.\n\n## Means\n\nRopes pull pulleys.\n',
  'Home.md': 'Nothing else here mentions zebras.\n',
}

/** Ann, who owns `harbour` with some notes, and Bob, who reads it, with an assistant each. */
async function open(t: Test, env: Record<string, string> = {}) {
  const clock = testClock(Date.UTC(2026, 10, 22, 12))
  const service = await buildService(t, { clock, env })
  const { app, ann, bob, harbour, issue, poster } = service
  await importNotes(app, ann, harbour, NOTES)
  await app.safes.members.share(ann, harbour, bob, 'reader')
  const claude = await issue(ann, {}, { clientName: 'Claude' })
  const cursor = await issue(bob, {}, { clientName: 'Cursor' })
  const ask = async (connection: typeof claude, args: object) => {
    const answer = await poster(connection).tool('svc', { safe: harbour, ...args })
    await app.activity.flush()
    return answer.structuredContent
  }
  const reads = (accountId: string, path = 'work/Plan.md') =>
    app.activity.documents.of(accountId, harbour, path)
  const headings = async (parts: { importId: number; first: number; last: number }[]) => {
    const document = await app.safes.documents.find(ann, harbour, 'work/Plan.md')
    const { passages } = await app.safes.documents.read(ann, harbour, document)
    return parts.map(({ importId, first, last }) =>
      passages
        .filter(({ id }) => importId === document.importId && id >= first && id <= last)
        .map(({ title }) => title.split(' > ').at(-1))
        .join('+'),
    )
  }
  return { ...service, clock, claude, cursor, ask, reads, headings }
}

t.test('a document knows which assistants read which part of it, and when', async t => {
  const { ann, claude, ask, reads, headings, clock } = await open(t)
  t.same(await reads(ann), { readers: [], otherReaders: 0, parts: [], days: 30 })
  const { passages } = await ask(claude, { query: 'granite crane' })
  t.match(passages[0], { document: 'work/Plan.md' })
  clock.now += 60_000
  await ask(claude, { document: 'Plan', heading: 'Means' })
  const { readers, parts } = await reads(ann)
  const name = { connectionId: claude.connectionId, name: 'Claude', email: null }
  t.match(readers, [{ ...name, times: 2, lastAt: clock.now }])
  t.same(await headings(parts), ['Means', 'Aims'], 'the latest first')
  await ask(claude, { document: 'Plan' })
  t.equal((await headings((await reads(ann)).parts))[0], 'Aims+Means', 'a whole document')
  t.same((await reads(ann, 'Home.md')).readers, [])
})

t.test('S2 owners see the assistants of all members, readers their own, others nothing', async t => {
  const { app, ann, bob, harbour, garden, office, claude, cursor, ask, reads } = await open(t)
  await ask(claude, { document: 'Plan' })
  await ask(cursor, { document: 'Plan' })
  await ask(cursor, { document: 'Plan' })
  const seen = async (accountId: string) =>
    (await reads(accountId)).readers.map(({ name, email, times }) => `${name} ${email} ${times}`)
  t.same((await seen(ann)).sort(), ['Claude null 1', 'Cursor bob@a.example 2'])
  t.same(await seen(bob), ['Cursor null 2'])
  t.equal((await reads(bob)).parts.length, 1)
  const places = ['work/', 'work/Plan.md', 'work', 'Home.md', '']
  const times = async (accountId: string) => [
    ...(await app.activity.documents.timesIn(accountId, harbour, places)).values(),
  ]
  t.same(await times(ann), [3, 3, 0, 0, 0], 'by document and folder')
  t.same(await times(bob), [2, 2, 0, 0, 0])
  await t.rejects(app.activity.documents.timesIn(bob, garden, places), { status: 404, code: 'not_found' })
  await t.rejects(app.activity.documents.of(bob, garden, 'work/Plan.md'), { status: 404, code: 'not_found' })
  await t.rejects(app.activity.documents.of(ann, office, 'work/Plan.md'), { status: 404, code: 'not_found' })

  await app.activity.forget('account_id', bob)
  t.same(await seen(ann), ['Claude null 1'], 'what was read goes with the account whose assistant read it')
  await app.activity.forget('safe_id', harbour)
  t.same(
    await app.database.read.selectFrom('document_reads').select('path').execute(),
    [],
    'and with its Safe',
  )
})

t.test('reads are kept for 30 days, and not longer than activity', async t => {
  const {
    app,
    ann: owner,
    claude: assistant,
    ask: read,
    reads: kept,
    clock,
  } = await open(t, { ACTIVITY_DAYS: '90' })
  await read(assistant, { document: 'Plan' })
  clock.now += 29 * DAY_MS
  await app.activity.sweep()
  t.equal((await kept(owner)).readers.length, 1)
  clock.now += DAY_MS
  t.equal((await kept(owner)).readers.length, 0, 'not shown any more')
  await app.activity.sweep()
  t.same(await app.database.read.selectFrom('document_reads').select('path').execute(), [])

  const { ann, claude, ask, reads } = await open(t, { ACTIVITY_DAYS: '0' })
  await ask(claude, { document: 'Plan' })
  t.match(await reads(ann), { readers: { length: 0 }, days: 0 })
})

t.test('an entry that is written again is not counted again', async t => {
  const { app, ann, harbour, claude, reads } = await open(t)
  const store = new ActivityStore(app.database, new DocumentReadStore(app.database))
  const entry = (id: string, path: string, parts: string) => ({
    ...{ id: `17637696000000000${id}`, kind: 'question' as const, accountId: ann, safeId: harbour },
    ...{
      connectionId: claude.connectionId,
      detail: null,
      facts: 0,
      passages: 1,
      question: null,
      readJson: null,
    },
    documents: [{ path, parts }],
  })
  await store.add([entry('a', 'x', '1.1-1'), entry('b', 'x', '1.1-1'), entry('c', 'x', '1.2-9')])
  await store.add([entry('b', 'x', '1.1-1'), entry('d', 'x', `${'1.3-3,'.repeat(80)}1.4-4`)])
  await store.add([entry('e', 'x', '1.5-5')])
  const rows = await app.database.read.selectFrom('document_reads').select(['times', 'parts']).execute()
  t.match(rows, [{ times: 5, parts: /^1\.5-5,1\.3-3,/ }])
  t.equal(rows[0]?.parts.length, 400, 'what is too long is cut off')
  t.same((await reads(ann, 'x')).readers, [], 'of that time')
})
