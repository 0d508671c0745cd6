import { sql } from 'kysely'
import t from 'tap'
import { SafeStore } from '../../../domain/safes/stores/safe.sql.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { databaseLocation } from '../../helper.js'

t.test('statements of every request are parsed once, and survive a newer migration', async t => {
  const database = await openDatabase({ ...(await databaseLocation(t, 'postgres')), role: 'server' })
  t.teardown(() => database.close())
  const account = { id: 'ann', email: 'ann@a.example', password_hash: '', role: 'member' as const }
  await database.write(trx =>
    trx
      .insertInto('accounts')
      .values({ ...account, created_at: 0, session_epoch: 0 })
      .execute(),
  )
  const safes = new SafeStore(database)
  await safes.create({ id: 'safe', name: 'Safe', version: 0, createdAt: 0 }, 'ann')
  const asked = () => safes.membership('ann', 'safe')
  await asked()
  t.match(await asked(), { name: 'Safe', role: 'owner' })
  // In sequence they all use one connection.
  const kept = await sql<{ runs: number }>`
    select generic_plans + custom_plans as runs from pg_prepared_statements`.execute(database.read)
  t.strictSame(kept.rows, [{ runs: 2 }])
  await sql`alter table safes add column later text`.execute(database.read)
  t.match(await asked(), { name: 'Safe', role: 'owner' })
})
