import type { Kysely } from 'kysely'
import t from 'tap'
import * as manyRows from '../../../platform/storage/migrations/0002-many-rows.js'
import * as accountOrigins from '../../../platform/storage/migrations/0015-account-origins.js'
import { build, databaseLocation } from '../../helper.js'
import { file, openSafes, people } from '../safes/open.js'

for (const over of ['sqlite', 'postgres'] as const) {
  t.test(`${over}: the totals of a Safe are computed from its imports, idempotently`, async t => {
    const { domain, database } = await openSafes(t, { at: await databaseLocation(t, over) })
    const { id } = await domain.create('ann', 'Before')
    await domain.create('ann', 'Empty')
    for (let i = 1; i <= 3; i++) await domain.imports.add('ann', id, file(`${i}.nt`, people(i)))
    await domain.imports.undo('ann', id, 2)
    await domain.imports.add('ann', id, file('waits.nt', people(9), { commit: false }))
    await domain.idle()
    const sums = () =>
      database.read
        .selectFrom('safes')
        .orderBy('name')
        .select(['entities', 'relations', 'passages', 'import_count'])
        .execute()
    const before = await sums()
    t.match(before, [{ entities: 2 + 4, relations: 1 + 3, import_count: 2 }, { import_count: 0 }])
    await database.write(trx => trx.updateTable('safes').set({ entities: 0, import_count: 0 }).execute())
    await database.write(trx => manyRows.up(trx as never as Kysely<unknown>))
    t.strictSame(await sums(), before)
    const { facts } = await domain.questions.ask('ann', id, { query: 'Person 2' })
    t.ok(facts.some(({ subject }) => subject === 'Person 2'))
  })
}

for (const setUp of ['embedded', 'postgres'] as const) {
  t.test(`${setUp}: addresses of administrators and of accounts of the provider count as proven`, async t => {
    const { database } = await build(t, { setUp })
    const accounts = [
      ['first', 'member', null],
      ['admin', 'admin', null],
      ['invited', 'member', null],
      ['linked', 'member', 3_600_000],
      ['made', 'member', 2],
    ] as const
    for (const [at, [id, role, linkedAfter]] of accounts.entries()) {
      const row = {
        id,
        email: `${id}@example.org`,
        role,
        password_hash: '',
        session_epoch: 0,
        created_at: at,
      }
      const identity = { issuer: 'https://login.example.org', subject: id, account_id: id }
      await database.write(async trx => {
        await trx.insertInto('accounts').values(row).execute()
        if (linkedAfter === null) return
        const created_at = at + linkedAfter
        await trx
          .insertInto('openid_identities')
          .values({ ...identity, created_at })
          .execute()
      })
    }
    await database.write(trx => accountOrigins.up(trx as never as Kysely<unknown>))
    const rows = await database.read
      .selectFrom('accounts')
      .orderBy('created_at')
      .select(['id', 'email_proven', 'provider_only', 'invited_root'])
      .execute()
    t.same(
      rows.map(({ id, email_proven, provider_only }) => [id, email_proven, provider_only]),
      [
        ['first', 1, 0],
        ['admin', 1, 0],
        ['invited', 0, 0],
        ['linked', 0, 0],
        ['made', 1, 1],
      ],
    )
    t.ok(rows.every(({ invited_root }) => invited_root === null))
  })
}
