import type { CompiledQuery } from 'kysely'
import t, { type Test } from 'tap'
import type { NewEntry } from '../../../domain/activity/entry.js'
import { ActivityStore } from '../../../domain/activity/stores/activity.sql.js'
import type { Database } from '../../../platform/storage/database.js'
import { setUp, testClock } from '../../helper.js'
import { buildService } from '../mcp/service.js'

const DAY_MS = 24 * 3_600_000
const ADA = '[["Ada","works on","Harbour project"],["Crane"]]'

/** Ann, who owns `harbour`, and Bob, who reads it, with an assistant each. */
async function open(t: Test, env: Record<string, string> = {}) {
  const clock = testClock(Date.UTC(2026, 10, 22, 12))
  const service = await buildService(t, { clock, env })
  const { app, ann, bob, harbour, issue } = service
  await app.safes.members.share(ann, harbour, bob, 'reader')
  const claude = (await issue(ann, {}, { clientName: 'Claude' })).connectionId
  const cursor = (await issue(bob, {}, { clientName: 'Cursor' })).connectionId
  const read = (connectionId: string, readJson = ADA, more: Partial<NewEntry> = {}) => {
    const accountId = connectionId === claude ? ann : bob
    app.activity.record({ kind: 'question', accountId, connectionId, safeId: harbour, readJson, ...more })
  }
  return { ...service, clock, claude, cursor, read }
}

t.test('S2 the reads of a thing are counted by assistant, as far as one may see them', async t => {
  const { app, ann, bob, harbour, garden, claude, cursor, read, clock } = await open(t)
  read(claude)
  clock.now += 7 * DAY_MS + 1
  for (let i = 0; i < 3; i++) read(cursor)
  read(claude)
  read(claude, ADA, { safeId: garden })
  read(claude, '[["Adam","knows","Bo"],["Ada","Ada","Ada"]]')
  read(claude, '[["Bo","Ada","Crane"]]')
  await app.activity.flush()
  const own = { connectionId: claude, name: 'Claude', email: null, times: 2 }
  const cursors = { ...own, connectionId: cursor, name: 'Cursor', email: 'bob@a.example', times: 3 }
  t.same(await app.activity.things.of(ann, harbour, 'Ada'), {
    readers: [cursors, own],
    otherReaders: 0,
    days: 7,
    among: null,
  })
  const readers = (await app.activity.things.of(bob, harbour, 'Ada')).readers
  t.same(readers, [{ ...cursors, email: null }], 'a reader sees its own assistants only')
  const ofCrane = (await app.activity.things.of(ann, harbour, 'Crane')).readers
  t.same(
    ofCrane.map(({ times }) => times),
    [3, 2],
  )
  t.same((await app.activity.things.of(ann, harbour, 'works on')).readers, [], 'a relation is no thing')
  await t.rejects(app.activity.things.of(bob, garden, 'Ada'), { status: 404, code: 'not_found' })
})

t.test('only the latest 1,000 entries are searched for reads', async t => {
  const { app, ann, harbour, claude, read, clock } = await open(t)
  read(claude)
  for (let i = 0; i < 1000; i++) {
    clock.now += 10
    read(claude, '[["Bo","knows","Cy"]]')
  }
  await app.activity.flush()
  t.match(await app.activity.things.of(ann, harbour, 'Ada'), { readers: { length: 0 }, among: 1000 })
  t.match(await app.activity.things.of(ann, harbour, 'Bo'), { readers: [{ times: 1000 }], among: 1000 })
})

t.test('at most five readers are named', async t => {
  const { app, ann, harbour, issue } = await open(t)
  for (let i = 1; i <= 7; i++) {
    const { connectionId } = await issue(ann, {}, { clientName: `Assistant ${i}` })
    const entry = { kind: 'question', accountId: ann, safeId: harbour, readJson: ADA } as const
    for (let times = 0; times < i; times++) app.activity.record({ ...entry, connectionId })
  }
  await app.activity.flush()
  const { readers, otherReaders } = await app.activity.things.of(ann, harbour, 'Ada')
  t.same(
    readers.map(({ name, times }) => `${name} ${times}`),
    ['Assistant 7 7', 'Assistant 6 6', 'Assistant 5 5', 'Assistant 4 4', 'Assistant 3 3'],
  )
  t.equal(otherReaders, 2)
})

t.test('S2 what happened last in a Safe follows the rules of its activity', async t => {
  const { app, ann, bob, harbour, office, claude, cursor, read } = await open(t)
  read(claude)
  read(cursor)
  await app.activity.flush()
  const last = async (accountId: string, safeId: string) =>
    (await app.activity.recentOfSafe(accountId, safeId, 2)).map(({ kind, email }) => `${email} ${kind}`)
  t.same(await last(ann, harbour), ['bob@a.example question', 'ann@a.example question'])
  t.same(await last(bob, harbour), ['bob@a.example question', 'bob@a.example member-added'])
  await t.rejects(last(ann, office), { status: 404, code: 'not_found' })
  t.equal((await app.activity.recentOfAccount(bob, 10)).length, 3)
  await app.safes.members.unshare(ann, harbour, bob)
  await app.activity.flush()
  t.same(
    (await app.activity.recentOfAccount(bob, 10)).map(({ kind }) => kind),
    ['connected'],
  )
})

t.test('Safes are ordered by their last use', async t => {
  const { app, ann, harbour, garden, claude, read } = await open(t)
  read(claude)
  read(claude, ADA, { safeId: garden })
  await app.activity.flush()
  t.same(await app.activity.lastUsedSafes(ann), [garden, harbour])
  read(claude)
  await app.activity.flush()
  t.same(await app.activity.lastUsedSafes(ann), [harbour, garden])
})

t.test('notices are counted until they are seen', async t => {
  const { app, ann, bob, claude, read, clock } = await open(t)
  read(claude)
  await app.activity.flush()
  t.equal(await app.activity.unseen(ann), 1, 'the connection, not the question')
  t.match(await app.activity.see(ann, 10), [{ kind: 'connected', assistant: { name: 'Claude' } }])
  t.equal(await app.activity.unseen(ann), 0)
  t.same(await app.activity.see(ann, 10), [])
  t.equal(await app.activity.unseen(bob), 1, 'each account has its own')
  clock.now += 10
  for (let i = 0; i < 120; i++) app.activity.record({ kind: 'import-failed', accountId: ann })
  await app.activity.flush()
  t.equal(await app.activity.unseen(ann), 100, 'at most')
  t.equal((await app.activity.see(ann, 3)).length, 3)
  t.equal(await app.activity.unseen(ann), 0)
  clock.now += 30 * DAY_MS
  t.equal(await app.activity.unseen(bob), 0, 'expired')
})

t.test('ACTIVITY_DAYS=0 records nothing and leaves nothing to notice', async t => {
  const { app, ann, harbour, claude, read } = await open(t, { ACTIVITY_DAYS: '0' })
  read(claude)
  await app.activity.flush()
  t.same(await app.database.read.selectFrom('activity').select('id').execute(), [])
  t.equal(await app.activity.unseen(ann), 0)
  t.match(await app.activity.things.of(ann, harbour, 'Ada'), { readers: { length: 0 }, days: 0 })
})

const onSqlite = { skip: setUp === 'postgres' && 'Postgres explains its plans in other words' }

t.test('unseen notices are one range of their index, however much happens', onSqlite, async t => {
  const { app } = await open(t)
  const { database } = app
  const prepared: CompiledQuery[] = []
  const spy = { read: database.read, prepare: (query: CompiledQuery) => prepared.push(query) }
  new ActivityStore(spy as never as Database, {} as never)
  const [query] = prepared as [CompiledQuery]
  const plan = { ...query, sql: `explain query plan ${query.sql}`, parameters: ['ann', 'ann', 100] }
  const { rows } = await database.read.executeQuery<{ detail: string }>(plan as never)
  const steps = rows.map(({ detail }) => detail).join('; ')
  t.match(steps, 'SEARCH activity USING INDEX activity_notices (account_id=? AND id>?)')
  t.notMatch(steps, 'TEMP B-TREE')
})
