// A guarantee of SQLite's single writer: of two transactions that decide by the same rows, the second sees the result
// of the first.
import t, { type Test } from 'tap'
import { AccountStore } from '../../../domain/accounts/stores/account.sql.js'
import type { ImportReport } from '../../../domain/safes/safe.js'
import { safeStores } from '../../../domain/safes/stores/safe-stores.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { databaseLocation } from '../../helper.js'

const ROUNDS = 10

const report: ImportReport = {
  counts: { entities: 0, relations: 0, passages: 0 },
  badLineCount: 0,
  badLines: [],
  problem: null,
  bytesRead: 0,
  bytesTotal: null,
}

for (const over of ['sqlite', 'postgres'] as const) {
  t.test(over, async t => {
    const open = async (t: Test) => {
      const database = await openDatabase({ ...(await databaseLocation(t, over)), role: 'server' })
      t.teardown(() => database.close())
      return database
    }
    const account = (id: string) => ({
      id,
      email: `${id}@example.org`,
      role: null,
      passwordHash: '',
      isEmailProven: true,
      createdAt: 0,
    })

    t.test('of concurrent accounts one is the first, and the last admin stays', async t => {
      const store = new AccountStore(await open(t))
      const ids = Array.from({ length: ROUNDS }, (_, i) => `a${i}`)
      await Promise.all(ids.map(id => store.addFirst(account(id))))
      t.equal((await store.list()).length, 1)
      await store.add({ ...account('other'), role: 'admin' })
      const removed = await Promise.all((await store.list()).map(({ id }) => store.remove(id)))
      t.same(removed.sort(), ['last-admin', 'removed'])
    })

    t.test('a Safe keeps an owner; its imports count 1, 2, 3; the same bytes are committed once', async t => {
      const database = await open(t)
      const accounts = new AccountStore(database)
      const { safes, imports } = safeStores(database)
      for (const id of ['ann', 'bob']) await accounts.add(account(id))
      for (let round = 0; round < ROUNDS; round++) {
        const safe = `safe${round}`
        await safes.create({ id: safe, name: 'S', version: 0, createdAt: 0 }, 'ann')
        await safes.share(safe, 'bob', 'owner', 0)
        const left = await Promise.all(['ann', 'bob'].map(id => safes.unshare(safe, id)))
        t.same(left.sort(), ['last owner', 'unshared'], safe)
        const start = { source: 's', format: 'jsonl', createdBy: 'ann', at: 0, leaseUntil: 1, report }
        const begun = await Promise.all(Array.from({ length: 4 }, () => imports.begin(safe, start)))
        t.same(begun.map(({ id }) => id).sort(), [1, 2, 3, 4])
        for (const { id } of begun) await imports.finish(safe, id, 'the same bytes', { leaseUntil: 1 })
        const outcomes = await Promise.all(begun.map(({ id }) => imports.commit(safe, id, 1)))
        t.equal(outcomes.filter(outcome => outcome === 'committed').length, 1)
        const done = begun.find((_, i) => outcomes[i] === 'committed')
        const undone = await Promise.all([1, 2].map(() => imports.undo(safe, done?.id ?? 0, 1, 2)))
        t.same(undone.sort(), ['kept', null])
        const owner = (await safes.members(safe))[0]?.accountId ?? ''
        t.equal((await safes.membership(owner, safe))?.version, 2, 'raised by the commit and by the undo')
      }
    })
  })
}

t.test('many writes waiting for one lock leave connections to others', async t => {
  const database = await openDatabase({ ...(await databaseLocation(t, 'postgres')), role: 'server' })
  t.teardown(() => database.close())
  let [done, release] = [0, () => {}]
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const write = async () => {
    await released
    done++
  }
  const waiting = Array.from({ length: 30 }, () => database.write(write, 'the same'))
  await database.write(async () => {}, 'other')
  await database.ping()
  t.equal(done, 0, 'the first still holds the lock')
  release()
  await Promise.all(waiting)
  t.equal(done, 30)
})
