import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Where accounts come from: whether their address was proven, whether the OpenID provider made them, and who invited them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  const tables = await db.introspection.getTables()
  const existing = tables.find(({ name }) => name === 'accounts')?.columns.map(({ name }) => name) ?? []
  const { schema } = db
  // On SQLite an interrupted migration starts again, so columns may exist already.
  for (const flag of ['email_proven', 'provider_only'])
    if (!existing.includes(flag))
      await schema
        .alterTable('accounts')
        .addColumn(flag, 'integer', column => column.notNull().defaultTo(0))
        .execute()
  if (!existing.includes('invited_root'))
    await schema.alterTable('accounts').addColumn('invited_root', text).execute()
  // An account that the provider made has had its identity from the beginning.
  await sql`update accounts set provider_only = 1, email_proven = 1 where exists (
    select 1 from openid_identities where openid_identities.account_id = accounts.id
      and openid_identities.created_at - accounts.created_at < ${MADE_TOGETHER_MS})`.execute(db)
  // Whose address was proven was not recorded: only of administrators and the first account it is taken for granted.
  await sql`update accounts set email_proven = 1 where role = 'admin'
    or id = (select id from accounts order by created_at, id limit 1)`.execute(db)
}

const MADE_TOGETHER_MS = 10_000
