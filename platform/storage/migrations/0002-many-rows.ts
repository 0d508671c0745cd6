import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Rows read per page. */
const PAGE = 1000

/**
 * Prepares for any number of imports per Safe and connections per account: adds totals to Safes, the state of
 * merging (ADR 31), and indexes for paged lists and clean-up by time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = isPostgres(db) ? sql`text collate "C"` : 'text'
  // On SQLite an interrupted migration starts again, so columns may exist already.
  const has = await columnsOf(db)
  for (const name of COUNTERS) {
    if (has.safes.includes(name)) continue
    await db.schema
      .alterTable('safes')
      .addColumn(name, 'bigint', c => c.notNull().defaultTo(0))
      .execute()
  }
  if (!has.safes.includes('content_hash'))
    await db.schema
      .alterTable('safes')
      .addColumn('content_hash', text, c => c.notNull().defaultTo(''))
      .execute()
  if (!has.safes.includes('merged_json'))
    await db.schema.alterTable('safes').addColumn('merged_json', text).execute()
  for (const table of ['relations', 'passages'] as const) {
    if (!has[table].includes('origin')) await db.schema.alterTable(table).addColumn('origin', text).execute()
  }
  await indexes(db)
  await countImports(db as Kysely<Tables>)
}

const COUNTERS = [
  'entities',
  'relations',
  'passages',
  'import_count',
  'undone_version',
  'readable_from',
  'merged_layer',
  'merged_through',
  'merging_through',
  'merging_until',
  'merged_at',
  'dropped_through',
]

async function columnsOf(db: Kysely<unknown>): Promise<Record<'safes' | 'relations' | 'passages', string[]>> {
  const tables = await db.introspection.getTables()
  const of = (name: string) =>
    tables.find(table => table.name === name)?.columns.map(column => column.name) ?? []
  return { safes: of('safes'), relations: of('relations'), passages: of('passages') }
}

async function indexes(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`create index if not exists imports_leased on imports (safe_id, id) where lease_expires_at > 0`,
    sql`create index if not exists connections_open on connections (account_id, created_at, id)
      where revoked_at is null`,
    sql`create index if not exists connections_ended on connections (account_id, revoked_at, id)
      where revoked_at is not null`,
    sql`create index if not exists connections_revoked on connections (revoked_at) where revoked_at is not null`,
    sql`create index if not exists connections_created on connections (created_at, id)`,
    sql`create index if not exists clients_unused on clients (created_at) where last_used_at is null`,
    sql`create index if not exists connections_listed on connections (account_id, created_at, id)`,
    sql`drop index if exists connections_account`,
    sql`create index if not exists accounts_created on accounts (created_at, id)`,
    sql`create index if not exists memberships_joined on memberships (account_id, created_at, safe_id)`,
    sql`drop index if exists memberships_account`,
    sql`create index if not exists safes_import_count on safes (import_count)`,
    sql`create index if not exists safes_merged on safes (merged_at) where dropped_through < merged_through`,
    sql`create index if not exists login_sessions_expiry on login_sessions (expires_at)`,
    sql`create index if not exists throttles_expiry on throttles (expires_at)`,
    sql`create index if not exists invitations_expiry on invitations (expires_at)`,
    sql`create index if not exists authorization_requests_expiry on authorization_requests (expires_at)`,
    sql`create index if not exists grants_expiry on grants (expires_at)`,
    sql`create index if not exists grants_grace on grants (rotated_at) where grace_pair is not null`,
    sql`create index if not exists access_tokens_expiry on access_tokens (expires_at)`,
    sql`create index if not exists mcp_sessions_expiry on mcp_sessions (expires_at)`,
  ]) {
    await statement.execute(db)
  }
}

interface Tables {
  safes: {
    id: string
    version: number
    entities: number
    relations: number
    passages: number
    import_count: number
    content_hash: string
  }
  imports: { safe_id: string; id: number; status: string; report_json: string }
}

/** Computes the totals of existing Safes, in pages. */
async function countImports(db: Kysely<Tables>): Promise<void> {
  for (let last = ''; ; ) {
    const safes = await db
      .selectFrom('safes')
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .select(['id', 'version'])
      .execute()
    for (const { id, version } of safes) {
      const sums = await sumsOf(db, id)
      await db
        .updateTable('safes')
        .set({ ...sums, content_hash: `version ${version}` })
        .where('id', '=', id)
        .execute()
    }
    if (safes.length < PAGE) return
    last = safes.at(-1)?.id ?? last
  }
}

async function sumsOf(db: Kysely<Tables>, safeId: string) {
  const sums = { entities: 0, relations: 0, passages: 0, import_count: 0 }
  for (let last = 0; ; ) {
    const imports = await db
      .selectFrom('imports')
      .where('safe_id', '=', safeId)
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .select(['id', 'status', 'report_json'])
      .execute()
    for (const { status, report_json } of imports) {
      if (status !== 'committed') continue
      const { counts = {} } = JSON.parse(report_json)
      sums.import_count++
      sums.entities += counts.entities ?? 0
      sums.relations += counts.relations ?? 0
      sums.passages += counts.passages ?? 0
    }
    if (imports.length < PAGE) return sums
    last = imports.at(-1)?.id ?? last
  }
}

const isPostgres = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof PostgresAdapter
