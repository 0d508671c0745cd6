import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Ways to sign in besides the password: identities at an OpenID provider (ADR 64), and passkeys (ADR 64). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('openid_identities')
    .ifNotExists()
    .addColumn('issuer', text, c => c.notNull())
    .addColumn('subject', text, c => c.notNull())
    .addColumn('account_id', text, c => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('openid_identities_pk', ['issuer', 'subject'])
    .execute()
  await db.schema
    .createTable('passkeys')
    .ifNotExists()
    .addColumn('id', text, c => c.primaryKey())
    .addColumn('account_id', text, c => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('name', text, c => c.notNull())
    .addColumn('public_key', text, c => c.notNull())
    .addColumn('counter', 'bigint', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute()
  for (const index of [
    sql`create unique index if not exists openid_identities_account on openid_identities (account_id, issuer)`,
    sql`create index if not exists passkeys_account on passkeys (account_id, created_at)`,
  ])
    await index.execute(db)
}
