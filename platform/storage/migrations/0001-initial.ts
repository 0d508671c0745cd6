import { type CreateTableBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

/** The tables of the first release; `platform/storage/schema.ts` documents the columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await accounts(db)
  await safes(db)
  await oauth(db)
}

async function accounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', text(db), c => c.primaryKey())
    .addColumn('email', text(db), c => c.notNull().unique())
    .addColumn('password_hash', text(db), c => c.notNull())
    .addColumn('role', text(db), c => c.notNull())
    .addColumn('session_epoch', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('invitations')
    .addColumn('token_hash', text(db), c => c.primaryKey())
    .addColumn('purpose', text(db), c => c.notNull())
    .addColumn('email', text(db))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('login_sessions')
    .addColumn('id_hash', text(db), c => c.primaryKey())
    .addColumn('account_id', text(db), c => c.notNull())
    .addColumn('epoch', 'integer', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('throttles')
    .addColumn('key', text(db), c => c.primaryKey())
    .addColumn('count', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('service_keys')
    .addColumn('name', text(db), c => c.primaryKey())
    .addColumn('value', text(db), c => c.notNull())
    .execute()
}

async function safes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('safes')
    .addColumn('id', text(db), c => c.primaryKey())
    .addColumn('name', text(db), c => c.notNull())
    .addColumn('version', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('memberships')
    .addColumn('safe_id', text(db), c => c.notNull().references('safes.id').onDelete('cascade'))
    .addColumn('account_id', text(db), c => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('role', text(db), c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('memberships_pk', ['safe_id', 'account_id'])
    .execute()
  await db.schema.createIndex('memberships_account').on('memberships').column('account_id').execute()
  await db.schema
    .createTable('imports')
    .addColumn('safe_id', text(db), c => c.notNull())
    .addColumn('id', 'bigint', c => c.notNull())
    .addColumn('status', text(db), c => c.notNull())
    .addColumn('source', text(db), c => c.notNull())
    .addColumn('format', text(db), c => c.notNull())
    .addColumn('content_hash', text(db))
    .addColumn('report_json', text(db), c => c.notNull())
    .addColumn('lease_expires_at', 'bigint', c => c.notNull())
    .addColumn('created_by', text(db), c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('committed_at', 'bigint')
    .addPrimaryKeyConstraint('imports_pk', ['safe_id', 'id'])
    .execute()
  await db.schema
    .createIndex('imports_content')
    .unique()
    .on('imports')
    .columns(['safe_id', 'content_hash'])
    .where(sql.ref('status'), '=', sql.lit('committed'))
    .execute()
  await layer(db, 'entities', ['key'], t =>
    t
      .addColumn('key', text(db), c => c.notNull())
      .addColumn('name', text(db), c => c.notNull())
      .addColumn('type', text(db)),
  )
  await layer(db, 'aliases', ['entity_key', 'alias'], t =>
    t.addColumn('entity_key', text(db), c => c.notNull()).addColumn('alias', text(db), c => c.notNull()),
  )
  await layer(db, 'passages', ['id'], t =>
    t
      .addColumn('id', 'integer', c => c.notNull())
      .addColumn('entity_key', text(db), c => c.notNull())
      .addColumn('title', text(db), c => c.notNull())
      .addColumn('text', text(db), c => c.notNull())
      .addColumn('source', text(db))
      .addColumn('seq', 'integer')
      .addColumn('time', 'bigint'),
  )
  await layer(db, 'relations', ['id'], t =>
    t
      .addColumn('id', 'integer', c => c.notNull())
      .addColumn('subject_key', text(db), c => c.notNull())
      .addColumn('predicate', text(db), c => c.notNull())
      .addColumn('object_key', text(db), c => c.notNull())
      .addColumn('passage_id', 'integer'),
  )
}

/**
 * A table of rows that imports add to Safes. On SQLite, WITHOUT ROWID clusters the rows by primary key, so
 * that an import is one contiguous range: fast to append, scan and delete.
 */
async function layer(
  db: Kysely<unknown>,
  name: string,
  key: string[],
  columns: (table: CreateTableBuilder<string, 'safe_id' | 'import_id'>) => CreateTableBuilder<string, string>,
): Promise<void> {
  const table = db.schema
    .createTable(name)
    .addColumn('safe_id', text(db), c => c.notNull())
    .addColumn('import_id', 'bigint', c => c.notNull())
  const keyed = columns(table).addPrimaryKeyConstraint(`${name}_pk`, ['safe_id', 'import_id', ...key])
  await (isPostgres(db) ? keyed : keyed.modifyEnd(sql`without rowid`)).execute()
}

const isPostgres = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof PostgresAdapter

/** Compared byte by byte, as in SQLite, so that both databases find and sort names alike. */
const text = (db: Kysely<unknown>) => (isPostgres(db) ? sql`text collate "C"` : 'text')

async function oauth(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('clients')
    .addColumn('id', text(db), c => c.primaryKey())
    .addColumn('name', text(db), c => c.notNull())
    .addColumn('redirect_uris_json', text(db), c => c.notNull())
    .addColumn('grant_types_json', text(db), c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute()
  await db.schema
    .createTable('connections')
    .addColumn('id', text(db), c => c.primaryKey())
    .addColumn('account_id', text(db), c => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('client_id', text(db), c => c.notNull())
    .addColumn('client_name', text(db), c => c.notNull())
    .addColumn('client_verified', 'integer', c => c.notNull())
    .addColumn('redirect_host', text(db), c => c.notNull())
    .addColumn('scope', text(db), c => c.notNull())
    .addColumn('resource', text(db), c => c.notNull())
    .addColumn('resource_sent', 'integer', c => c.notNull())
    .addColumn('chosen_safe_id', text(db))
    .addColumn('only_chosen_safe', 'integer', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('calls', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('revoked_at', 'bigint')
    .addColumn('revoked_reason', text(db))
    .execute()
  await db.schema.createIndex('connections_account').on('connections').column('account_id').execute()
  await db.schema
    .createTable('authorization_requests')
    .addColumn('id_hash', text(db), c => c.primaryKey())
    .addColumn('request_json', text(db), c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('grants')
    .addColumn('connection_id', text(db), c => c.primaryKey())
    .addColumn('facts_json', text(db), c => c.notNull())
    .addColumn('selected_safe_id', text(db))
    .addColumn('code_hash', text(db))
    .addColumn('code_json', text(db))
    .addColumn('code_expires_at', 'bigint', c => c.notNull())
    .addColumn('code_used_at', 'bigint')
    .addColumn('refresh_hash', text(db))
    .addColumn('refresh_generation', 'integer', c => c.notNull())
    .addColumn('refresh_expires_at', 'bigint', c => c.notNull())
    .addColumn('rotated_at', 'bigint', c => c.notNull())
    .addColumn('grace_pair', text(db))
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('access_tokens')
    .addColumn('connection_id', text(db), c => c.notNull())
    .addColumn('token_hash', text(db), c => c.notNull())
    .addColumn('scope', text(db), c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('access_tokens_pk', ['connection_id', 'token_hash'])
    .execute()
  await db.schema
    .createTable('mcp_sessions')
    .addColumn('connection_id', text(db), c => c.notNull())
    .addColumn('id_hash', text(db), c => c.notNull())
    .addColumn('protocol_version', text(db), c => c.notNull())
    .addColumn('selected_safe_id', text(db))
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('mcp_sessions_pk', ['connection_id', 'id_hash'])
    .execute()
}
