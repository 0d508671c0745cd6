import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Connections limited to several Safes; invitations into Safes and links to reset a password, which can be listed
 * and revoked; who invited whom; and what the list of sign-in sessions shows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  const tables = await db.introspection.getTables()
  for (const [table, column, type] of COLUMNS) {
    // On SQLite an interrupted migration starts again, so columns may exist already.
    const existing = tables.find(({ name }) => name === table)?.columns ?? []
    if (existing.some(({ name }) => name === column)) continue
    await db.schema
      .alterTable(table)
      .addColumn(column, type === 'text' ? text : sql.raw(type))
      .execute()
  }
  await sql`update invitations set id = token_hash where id is null`.execute(db)
  for (const index of [
    sql`create index if not exists invitations_of_safe on invitations (safe_id, created_at) where safe_id is not null`,
    sql`create index if not exists invitations_by_maker on invitations (invited_by) where invited_by is not null`,
    sql`create index if not exists invitations_listed on invitations (created_at, id)`,
    sql`create index if not exists login_sessions_account on login_sessions (account_id, created_at)`,
  ])
    await index.execute(db)
}

const COLUMNS: readonly (readonly [table: string, column: string, type: 'text' | 'bigint'])[] = [
  ['connections', 'chosen_safes_json', 'text'],
  ['invitations', 'id', 'text'],
  ['invitations', 'invited_by', 'text'],
  ['invitations', 'safe_id', 'text'],
  ['invitations', 'role', 'text'],
  ['invitations', 'account_id', 'text'],
  ['memberships', 'invited_by', 'text'],
  ['removed_memberships', 'invited_by', 'text'],
  ['login_sessions', 'user_agent', 'text'],
  ['login_sessions', 'address', 'text'],
  ['login_sessions', 'last_seen_at', 'bigint'],
]
