import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { file, NO_ROWS, openSafe, people } from './open.js'

const DAYS = 86_400_000
const fact = (from: string, to: string) => `<http://x/${from}> <http://x/knows> <http://x/${to}> .`

/** A Safe of ann's that bob may read, with two imports. */
async function open(t: Test) {
  const opened = await openSafe(t)
  const { domain, clock, rows, id, add, exported } = opened
  await domain.members.share('ann', id, 'bob', 'reader')
  await add('a.nt', fact('Ada', 'Bo'))
  await add('b.nt', `${fact('Ada', 'Cy')}\n${fact('Ada', 'Bo')}`)
  const known = async (who = 'ann') => {
    const { facts } = await domain.questions.ask(who, id, { query: 'Whom does Ada know?' })
    return facts.map(({ object, sources }) => `${object}: ${sources}`).sort()
  }
  const state = async () => {
    const safe = await domain.find('ann', id)
    return { counts: safe?.counts, known: await known(), exported: await exported(), rows: await rows() }
  }
  const later = async (days: number) => {
    clock.now += days * DAYS
    domain.maintenance.sweepAbandoned()
    domain.maintenance.sweep()
    await domain.idle()
  }
  return { ...opened, known, state, later }
}

t.test('an undone import is invisible, and restored exactly as it was (ADR 45)', async t => {
  const { domain, id, known, exported, state, later, clock } = await open(t)
  const before = await state()
  t.same(before.known, ['Bo: a.nt,b.nt', 'Cy: b.nt'])
  await domain.imports.undo('ann', id, 2)
  t.same(await known(), ['Bo: a.nt'])
  t.notMatch(await exported(), /Cy/)
  t.match((await domain.find('ann', id))?.counts, { entities: 2, relations: 1 })
  t.match(await domain.imports.list('ann', id), [{ id: 1 }])
  t.equal(await domain.imports.find('ann', id, 2), null)
  const until = clock() + 7 * DAYS
  const undone = { safeId: id, id: 2, source: 'b.nt', format: 'ntriples', restorableUntil: until }
  const counts = { entities: 3, relations: 2, passages: 0 }
  t.strictSame(await domain.imports.undone('ann', id), [{ ...undone, counts, documents: 1 }])
  await later(6.9)
  await domain.imports.restore('ann', id, 2)
  t.same(await state(), before)
  t.equal((await domain.find('ann', id))?.version, 4)
  t.same(await domain.imports.undone('ann', id), [])
  await later(8)
  t.same(await state(), before, 'and it stays')
  await domain.imports.undo('ann', id, 2)
  t.same(await known(), ['Bo: a.nt'], 'it can be undone again')
})

t.test('after 7 days an undone import cannot be restored (ADR 45)', async t => {
  const { domain, id, rows, later, clock } = await open(t)
  await domain.imports.undo('ann', id, 2)
  clock.now += 7 * DAYS
  await t.rejects(domain.imports.restore('ann', id, 2), { code: 'not_found' }, 'even before it is swept')
  t.same(await domain.imports.undone('ann', id), [])
  await later(0.001)
  t.same(
    (await rows()).relations.map(({ import_id }) => import_id),
    [1],
  )
  await t.rejects(domain.imports.restore('ann', id, 2), { code: 'not_found' })
})

t.test('what is partly cleaned up cannot be restored, and the clean-up goes on (ADR 45)', async t => {
  const { domain, id, stores, clock, rows, later, add } = await open(t)
  await add('many.nt', people(600))
  await domain.imports.undo('ann', id, 3)
  clock.now += 7 * DAYS + 1
  const lease = clock() + 60_000
  t.same(await stores.imports.takeAbandoned(clock(), lease, ''), [{ safeId: id, id: 3 }])
  t.ok(await stores.imports.dropSome(id, [3, 3], lease), 'here it is killed')
  clock.now -= 2
  await t.rejects(domain.imports.restore('ann', id, 3), { code: 'not_found' }, 'whatever another clock says')
  await later(1)
  t.notOk((await rows()).entities.some(({ import_id }) => import_id === 3))
})

t.test('the same file may be added again after undo; restoring then says so (ADR 45)', async t => {
  const { domain, id, dump, add } = await open(t)
  await domain.imports.undo('ann', id, 1)
  const again = await add('again.nt', fact('Ada', 'Bo'))
  t.match(again, { id: 3, status: 'committed' })
  const before = await dump()
  await t.rejects(domain.imports.restore('ann', id, 1), {
    code: 'added_since',
    message: /again, as import 3/,
  })
  t.same(await dump(), before)
  await domain.imports.undo('ann', id, 3)
  await domain.imports.restore('ann', id, 1)
  t.match(await domain.imports.list('ann', id), [{ id: 2 }, { id: 1 }])
})

t.test('what was never visible cannot be restored (ADR 45)', async t => {
  const { domain, id, rows, add } = await open(t)
  const before = await rows()
  const staged = await add('c.nt', fact('Ada', 'Di'), { commit: false })
  await domain.imports.undo('ann', id, staged.id)
  await domain.idle()
  t.same(await rows(), before, 'its rows are dropped at once')
  await t.rejects(domain.imports.restore('ann', id, staged.id), { code: 'not_found' })
  await t.rejects(domain.imports.restore('ann', id, 1), { code: 'not_found' }, 'nor what is visible')
})

t.test('a removed Safe is missing for everybody until an owner restores it (ADR 45)', async t => {
  const { domain, id, known, state, later, clock, stores, add } = await open(t)
  const before = await state()
  const members = await domain.members.list('ann', id)
  const slow = await add('waits.nt', fact('Ada', 'Di'), { commit: false })
  await domain.removal.remove('ann', id)
  await domain.idle()
  for (const who of ['ann', 'bob']) {
    t.equal(await domain.find(who, id), null)
    t.same(await domain.readableBy(who), [])
    const attempts: (() => Promise<unknown>)[] = [
      () => known(who),
      () => domain.members.list(who, id),
      () => domain.imports.list(who, id),
      () => domain.export(who, id, 'jsonl'),
      () => domain.members.share(who, id, 'cy', 'reader'),
      () => domain.rename(who, id, 'x'),
      () => domain.removal.remove(who, id),
      () => domain.imports.restore(who, id, 1),
      () => domain.imports.add(who, id, file('c.nt', fact('A', 'B'))),
    ]
    for (const attempt of attempts) await t.rejects(attempt, { code: 'not_found' }, String(attempt))
  }
  t.same(await domain.named('Safe'), [])
  t.same(await domain.all(), [])
  const counts = { entities: 3, relations: 2, passages: 0, documents: 2 }
  const listed = { id, name: 'Safe', counts, ownerId: 'ann', restorableUntil: clock() + 7 * DAYS }
  t.strictSame(await domain.removal.list('ann'), [listed])
  t.strictSame(await domain.removal.all(), [listed])
  t.same(await domain.removal.list('bob'), [], 'a reader cannot restore it')
  for (const who of ['bob', 'cy']) await t.rejects(domain.removal.restore(who, id), { code: 'not_found' })
  await later(6.9)
  await domain.removal.restore('ann', id)
  t.same(await state(), before)
  t.same(await domain.members.list('ann', id), members)
  t.same(await known('bob'), before.known)
  t.same(await domain.removal.list('ann'), [])
  await t.rejects(domain.removal.restore('ann', id), { code: 'not_found' })
  t.equal(await stores.listedImports.find(id, slow.id), null, 'what was not added is gone')
  await later(8)
  t.same(await state(), before, 'and it stays')
})

t.test('after 7 days nothing is left of a removed Safe, undone imports included (ADR 45)', async t => {
  const { domain, id, later, clock, rows, database, folder, add, ask } = await open(t)
  await add('many.nt', people(3_000))
  await ask({ query: 'Person 7' })
  await domain.imports.undo('ann', id, 1)
  await domain.removal.remove('ann', id)
  await later(3)
  t.ok((await rows()).entities.length > 3_000, 'until then it is kept')
  clock.now += 4 * DAYS
  await t.rejects(domain.removal.restore('ann', id), { code: 'not_found' }, 'even before it is swept')
  t.same(await domain.removal.list('ann'), [])
  await later(0.001)
  t.same(await rows(), NO_ROWS)
  t.same(await database.read.selectFrom('safes').selectAll().execute(), [])
  t.same(await database.read.selectFrom('removed_memberships').selectAll().execute(), [])
  t.same(readdirSync(join(folder, 'indexes')), [])
})

t.test('a removed Safe goes at once with its only owner; another owner keeps it (ADR 45)', async t => {
  const { domain, id, later, rows } = await open(t)
  const shared = await domain.create('ann', 'Shared')
  await domain.members.share('ann', shared.id, 'bob', 'owner')
  for (const safe of [id, shared.id]) await domain.removal.remove('ann', safe)
  await domain.removal.removeOwnedOnlyBy('ann')
  await domain.idle()
  t.same(await rows(), NO_ROWS)
  t.same(await domain.removal.list('ann'), [{ ...(await domain.removal.list('bob'))[0], ownerId: 'ann' }])
  await domain.removal.restore('bob', shared.id)
  t.match(await domain.readableBy('bob'), [{ name: 'Shared' }])
  await later(8)
  t.match(await domain.readableBy('bob'), [{ name: 'Shared' }])
})
