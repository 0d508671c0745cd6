import t, { type Test } from 'tap'
import type { ActivityKind } from '../../../domain/activity/entry.js'
import { ConnectionStore } from '../../../domain/oauth/stores/connection.sql.js'
import { testClock } from '../../helper.js'
import { words } from '../../words.js'
import { buildService, fill } from '../mcp/service.js'
import { assistantOf } from '../oauth/assistant.js'
import { PASSWORD } from '../pages/browser.js'

const DAY_MS = 24 * 3_600_000

/** Ann, whose Safe `harbour` has a small graph that Bob may read, and an assistant of each. */
async function open(t: Test, env: Record<string, string> = {}) {
  const clock = testClock(Date.UTC(2026, 10, 22, 12))
  const service = await buildService(t, { clock, env })
  const { app, ann, bob, harbour, issue, poster } = service
  await fill(app, ann, harbour)
  await app.safes.members.share(ann, harbour, bob, 'reader')
  const claude = await issue(ann, { chosenSafeIds: [harbour] }, { clientName: 'Claude' })
  const cursor = await issue(bob, { chosenSafeIds: [harbour] }, { clientName: 'Cursor' })
  const ask = (connection: typeof claude, query: string, more = {}) =>
    poster(connection).tool('svc', { query, ...more })
  const kinds = async (accountId: string) => {
    await app.activity.flush()
    const { entries } = await app.activity.ofAccount(accountId, { limit: 100 })
    return entries.map(({ kind }) => kind)
  }
  return { ...service, clock, claude, cursor, ask, kinds }
}

/** The entries of one kind. */
async function entriesOf({ app, ann }: Awaited<ReturnType<typeof open>>, kind: ActivityKind) {
  await app.activity.flush()
  return (await app.activity.ofAccount(ann, { kind, limit: 100 })).entries
}

t.test('a question is recorded with what went out', async t => {
  const service = await open(t)
  const { ann, harbour, claude, ask, clock } = service
  const { structuredContent } = await ask(claude, 'What does Ada work on?')
  const [entry, ...others] = await entriesOf(service, 'question')
  t.same(others, [])
  const { facts, passages } = structuredContent
  t.match(entry, {
    at: clock.now,
    email: `${ann}@a.example`,
    assistant: { connectionId: claude.connectionId, name: 'Claude' },
    safe: { id: harbour, name: 'Harbour' },
    question: 'What does Ada work on?',
    facts: facts.length,
    passages: passages.length,
  })
  t.ok(facts.length > 0 && passages.length > 0)
  t.same(entry?.read, [
    ['Ada', 'works on', 'Harbour project'],
    ['Ada', 'memory.jsonl', 1, 1, 1],
  ])
})

t.test('S2 an owner sees all questions to a Safe, a reader its own, others nothing', async t => {
  const { app, ann, bob, harbour, garden, claude, cursor, ask, issue } = await open(t)
  await ask(claude, 'Ada')
  await ask(cursor, 'Harbour project')
  await ask(claude, 'nothing', { safe: garden })
  await app.activity.flush()
  const seen = async (accountId: string, safeId: string) => {
    const { entries } = await app.activity.ofSafe(accountId, safeId, { kind: 'question', limit: 10 })
    return entries.map(({ email, question }) => `${email} ${question}`)
  }
  t.same(await seen(ann, harbour), ['bob@a.example Harbour project', 'ann@a.example Ada'])
  t.same(await seen(bob, harbour), ['bob@a.example Harbour project'])
  await t.rejects(seen(bob, garden), { status: 404, code: 'not_found' })
  await t.rejects(app.activity.choicesOfSafe(bob, garden), { status: 404, code: 'not_found' })
  await t.rejects(seen('unknown', harbour), { status: 404, code: 'not_found' })
  const own = async (accountId: string) => {
    const { entries } = await app.activity.ofAccount(accountId, { kind: 'question', limit: 10 })
    return entries.map(({ question }) => question)
  }
  t.same(await own(ann), ['nothing', 'Ada'])
  t.same(await own(bob), ['Harbour project'])
  t.match(await app.activity.choicesOfSafe(ann, harbour), {
    assistants: [{ name: 'Claude' }, { name: 'Cursor' }],
  })
  t.match(await app.activity.choicesOfSafe(bob, harbour), { assistants: [{ name: 'Cursor' }] })

  await app.safes.members.unshare(ann, harbour, bob)
  await app.activity.flush()
  t.same(await own(bob), [], 'a Safe that one may no longer read is not listed')
  t.same((await app.activity.choicesOfAccount(bob)).safes, [])
  await t.rejects(seen(bob, harbour), { status: 404, code: 'not_found' })
  t.equal((await seen(ann, harbour)).length, 2, 'its owner still sees who read it')
  const foreign = await issue(bob, {}, { clientName: 'Other' })
  const list = await app.activity.ofAccount(ann, { connectionId: foreign.connectionId, limit: 10 })
  t.same(list.entries, [], 'nor does the id of a foreign connection show anything')
})

t.test('the text of questions is not kept if its user says so', async t => {
  const service = await open(t)
  const { app, ann, bob, claude, ask } = service
  const { connections } = app.oauth
  await ask(claude, 'one')
  await app.activity.flush()
  await ask(claude, 'two')
  await connections.keepQuestions(ann, claude.connectionId, false)
  await ask(claude, 'three')
  t.same(
    (await entriesOf(service, 'question')).map(({ question }) => question),
    [null, null, 'one'],
    'from now on, and for what has not been written yet',
  )
  t.equal((await connections.find(claude.connectionId))?.keepsQuestions, false)
  const byOther = connections.keepQuestions(bob, claude.connectionId, true)
  await t.rejects(byOther, { status: 404, code: 'not_found' })
  t.equal((await connections.find(claude.connectionId))?.keepsQuestions, false)
})

t.test('pages and filters cover every entry once, however many do not match', async t => {
  const { app, ann, harbour, garden, claude, clock } = await open(t)
  const numbers = { [garden]: 0, [harbour]: 0 }
  const add = (count: number, safeId: string) => {
    for (let i = 0; i < count; i++) {
      const number = numbers[safeId] ?? 0
      numbers[safeId] = number + 1
      const { connectionId } = claude
      const question = `${safeId} ${number}`
      app.activity.record({ kind: 'question', accountId: ann, connectionId, safeId, question })
      clock.now += 10
    }
  }
  add(30, garden)
  for (let batch = 0; batch < 30; batch++) {
    add(100, harbour)
    await app.activity.flush()
  }
  const all = async (filter: object) => {
    const found: (string | null)[] = []
    let pages = 0
    for (let after: string | undefined; ; pages++) {
      const list = await app.activity.ofAccount(ann, { ...filter, after, limit: 20 })
      found.push(...list.entries.map(({ question }) => question))
      if (list.next === null) return { found, pages: pages + 1 }
      after = list.next
    }
  }
  const gardens = await all({ safeId: garden })
  t.same(
    gardens.found,
    Array.from({ length: 30 }, (_, i) => `${garden} ${29 - i}`),
  )
  t.equal(gardens.pages, 3, 'the first page has searched its share and found nothing')
  const questions = await all({ kind: 'question', connectionId: claude.connectionId })
  t.equal(questions.found.length, 3030)
  t.equal(new Set(questions.found).size, 3030)
})

t.test('entries expire after ACTIVITY_DAYS', async t => {
  const service = await open(t, { ACTIVITY_DAYS: '7' })
  const { app, claude, ask, clock } = service
  await ask(claude, 'old')
  clock.now += 6 * DAY_MS
  const fresh = await service.issue(service.ann, { chosenSafeIds: [service.harbour] })
  await ask(fresh, 'new')
  t.equal((await entriesOf(service, 'question')).length, 2)
  clock.now += DAY_MS + 1
  const questions = async () => (await entriesOf(service, 'question')).map(({ question }) => question)
  t.same(await questions(), ['new'], 'expired entries are not listed')
  t.equal(await rows(service), 2)
  await app.activity.sweep()
  t.equal(await rows(service), 1, 'and are deleted by the sweep')
})

t.test('removing a Safe or an account removes its entries', async t => {
  const service = await open(t)
  const { app, ann, bob, harbour, garden, claude, cursor, ask, clock } = service
  await ask(claude, 'Ada')
  await ask(claude, 'Ada', { safe: garden })
  await ask(cursor, 'Ada')
  await app.activity.flush()
  await ask(cursor, 'Ada, not written yet')
  await app.accounts.add('admin@a.example', PASSWORD)
  await app.accounts.remove(bob)
  await app.activity.flush()
  const of = async (column: 'account_id' | 'safe_id', id: string) =>
    (await app.database.read.selectFrom('activity').where(column, '=', id).select('id').execute()).length
  t.equal(await of('account_id', bob), 0)
  t.ok((await of('safe_id', harbour)) > 0)
  await ask(claude, 'Ada, not written yet')
  await app.safes.removal.remove(ann, harbour)
  await app.safes.idle()
  await app.activity.flush()
  t.ok((await of('safe_id', harbour)) > 0, 'as long as it can be restored')
  clock.now += 7 * DAY_MS + 1
  app.safes.maintenance.sweep()
  await app.safes.idle()
  t.equal(await of('safe_id', harbour), 0)
  t.ok((await of('safe_id', garden)) > 0)
})

t.test('everything that the page promises is recorded', async t => {
  const { app, ann, bob, harbour, claude, kinds, clock } = await open(t)
  const { assistant, id: eve } = await assistantOf(app, 'eve@a.example')
  await assistant.browser.submit('/', '/logout')
  const wrong = { email: 'eve@a.example', password: 'wrong wrong wrong' }
  await assistant.browser.submit('/login', '/login', wrong)
  await assistant.browser.signIn('eve@a.example')
  await assistant.decide(await assistant.consentPage(), { decision: 'deny' })
  const { refresh_token } = await assistant.connect()
  await assistant.refresh(refresh_token)
  clock.now += 60_000
  await assistant.refresh(refresh_token)
  const second = await assistant.connect()
  await assistant.revoke(second.refresh_token)
  t.same(
    (await kinds(eve)).reverse(),
    words('signed-in-new sign-in-failed signed-in denied connected refresh-reused connected ended'),
  )
  const { entries } = await app.activity.ofAccount(eve, { kind: 'denied', limit: 1 })
  t.match(entries[0], { detail: 'Assistant (unverified)', assistant: null })

  await app.safes.imports.undo(ann, harbour, 1)
  await app.safes.export(ann, harbour, 'jsonl')
  await app.oauth.connections.revoke(ann, claude.connectionId)
  await app.oauth.connections.revoke(ann, claude.connectionId)
  t.same((await kinds(ann)).reverse(), ['imported', 'connected', 'undone', 'exported', 'ended'])
  const imports = await app.activity.ofAccount(ann, { kind: 'imported', limit: 1 })
  t.match(imports.entries[0], {
    detail: 'memory.jsonl',
    facts: 1,
    passages: 1,
    safe: { name: 'Harbour' },
  })
  t.same((await kinds(bob)).reverse(), ['member-added', 'connected'])
})

t.test('wrong passwords from everywhere do not fill the activity of their victim', async t => {
  const { app } = await open(t)
  const { id } = await app.accounts.add('eve@a.example', PASSWORD)
  const count = 24
  const signIn = (i: number) => app.accounts.passwords.signIn('eve@a.example', 'wrong wrong', `10.0.0.${i}`)
  await Promise.all(Array.from({ length: count }, (_, i) => signIn(i).catch(() => null)))
  await app.activity.flush()
  t.equal((await app.activity.ofAccount(id, { limit: 100 })).entries.length, 20)
})

t.test('the calls of a connection are counted by day', async t => {
  const { app, claude, cursor, clock } = await open(t)
  const store = new ConnectionStore(app.database)
  const use = (calls: number) =>
    store.recordUse([{ connectionId: claude.connectionId, calls, at: clock.now }])
  await use(2)
  await use(3)
  clock.now += DAY_MS
  await use(4)
  clock.now += 2 * DAY_MS
  await store.recordUse([{ connectionId: 'x'.repeat(22), calls: 1, at: clock.now }])
  const ids = [claude.connectionId, cursor.connectionId]
  const calls = await app.oauth.connections.callsByDay(ids)
  t.same(calls.get(claude.connectionId), [...Array(26).fill(0), 5, 4, 0, 0])
  t.same(calls.get(cursor.connectionId), Array(30).fill(0))
  clock.now += 27 * DAY_MS
  const later = await app.oauth.connections.callsByDay(ids)
  t.same(later.get(claude.connectionId), [4, ...Array(29).fill(0)])
})

async function rows({ app }: Awaited<ReturnType<typeof open>>): Promise<number> {
  const found = await app.database.read
    .selectFrom('activity')
    .where('kind', '=', 'question')
    .select('id')
    .execute()
  return found.length
}
