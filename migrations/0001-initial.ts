import { type CreateTableBuilder, type Kysely, sql } from 'kysely'

/** The tables of the first release; `plugins/database/schema.ts` says what each column means. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await accounts(db)
  await safes(db)
  await oauth(db)
}

async function accounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('email', 'text', c => c.notNull().unique())
    .addColumn('password_hash', 'text', c => c.notNull())
    .addColumn('role', 'text', c => c.notNull())
    .addColumn('session_epoch', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('invitations')
    .addColumn('token_hash', 'text', c => c.primaryKey())
    .addColumn('purpose', 'text', c => c.notNull())
    .addColumn('email', 'text')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('login_sessions')
    .addColumn('id_hash', 'text', c => c.primaryKey())
    .addColumn('account_id', 'text', c => c.notNull())
    .addColumn('epoch', 'integer', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('throttles')
    .addColumn('key', 'text', c => c.primaryKey())
    .addColumn('count', 'integer', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('service_keys')
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('value', 'text', c => c.notNull())
    .execute()
}

async function safes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('safes')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('version', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('memberships')
    .addColumn('safe_id', 'text', c => c.notNull().references('safes.id').onDelete('cascade'))
    .addColumn('account_id', 'text', c => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('role', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('memberships_pk', ['safe_id', 'account_id'])
    .execute()
  await db.schema.createIndex('memberships_account').on('memberships').column('account_id').execute()
  await db.schema
    .createTable('imports')
    .addColumn('safe_id', 'text', c => c.notNull())
    .addColumn('id', 'integer', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('source', 'text', c => c.notNull())
    .addColumn('format', 'text', c => c.notNull())
    .addColumn('content_hash', 'text')
    .addColumn('report_json', 'text', c => c.notNull())
    .addColumn('lease_expires_at', 'bigint', c => c.notNull())
    .addColumn('created_by', 'text', c => c.notNull())
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
      .addColumn('key', 'text', c => c.notNull())
      .addColumn('name', 'text', c => c.notNull())
      .addColumn('type', 'text'),
  )
  await layer(db, 'aliases', ['entity_key', 'alias'], t =>
    t.addColumn('entity_key', 'text', c => c.notNull()).addColumn('alias', 'text', c => c.notNull()),
  )
  await layer(db, 'passages', ['id'], t =>
    t
      .addColumn('id', 'integer', c => c.notNull())
      .addColumn('entity_key', 'text', c => c.notNull())
      .addColumn('title', 'text', c => c.notNull())
      .addColumn('text', 'text', c => c.notNull())
      .addColumn('source', 'text')
      .addColumn('seq', 'integer')
      .addColumn('time', 'bigint'),
  )
  await layer(db, 'relations', ['id'], t =>
    t
      .addColumn('id', 'integer', c => c.notNull())
      .addColumn('subject_key', 'text', c => c.notNull())
      .addColumn('predicate', 'text', c => c.notNull())
      .addColumn('object_key', 'text', c => c.notNull())
      .addColumn('passage_id', 'integer'),
  )
}

/**
 * A table of rows that one import added to one Safe. On SQLite WITHOUT ROWID makes the key the table itself,
 * so that an import is one contiguous range: quick to append, to read through and to drop.
 */
async function layer(
  db: Kysely<unknown>,
  name: string,
  key: string[],
  columns: (table: CreateTableBuilder<string, 'safe_id' | 'import_id'>) => CreateTableBuilder<string, string>,
): Promise<void> {
  const table = db.schema
    .createTable(name)
    .addColumn('safe_id', 'text', c => c.notNull())
    .addColumn('import_id', 'integer', c => c.notNull())
  const keyed = columns(table).addPrimaryKeyConstraint(`${name}_pk`, ['safe_id', 'import_id', ...key])
  const sqlite = db.getExecutor().adapter.constructor.name.startsWith('Sqlite')
  await (sqlite ? keyed.modifyEnd(sql`without rowid`) : keyed).execute()
}

async function oauth(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('clients')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('redirect_uris_json', 'text', c => c.notNull())
    .addColumn('grant_types_json', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute()
  await db.schema
    .createTable('connections')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('account_id', 'text', c => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('client_id', 'text', c => c.notNull())
    .addColumn('client_name', 'text', c => c.notNull())
    .addColumn('client_verified', 'integer', c => c.notNull())
    .addColumn('redirect_host', 'text', c => c.notNull())
    .addColumn('scope', 'text', c => c.notNull())
    .addColumn('resource', 'text', c => c.notNull())
    .addColumn('resource_sent', 'integer', c => c.notNull())
    .addColumn('chosen_safe_id', 'text')
    .addColumn('only_chosen_safe', 'integer', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('calls', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('revoked_at', 'bigint')
    .addColumn('revoked_reason', 'text')
    .execute()
  await db.schema.createIndex('connections_account').on('connections').column('account_id').execute()
  await db.schema
    .createTable('authorization_requests')
    .addColumn('id_hash', 'text', c => c.primaryKey())
    .addColumn('request_json', 'text', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('grants')
    .addColumn('connection_id', 'text', c => c.primaryKey())
    .addColumn('facts_json', 'text', c => c.notNull())
    .addColumn('selected_safe_id', 'text')
    .addColumn('code_hash', 'text')
    .addColumn('code_json', 'text')
    .addColumn('code_expires_at', 'bigint', c => c.notNull())
    .addColumn('code_used_at', 'bigint')
    .addColumn('refresh_hash', 'text')
    .addColumn('refresh_generation', 'integer', c => c.notNull())
    .addColumn('refresh_expires_at', 'bigint', c => c.notNull())
    .addColumn('rotated_at', 'bigint', c => c.notNull())
    .addColumn('grace_pair', 'text')
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('access_tokens')
    .addColumn('connection_id', 'text', c => c.notNull())
    .addColumn('token_hash', 'text', c => c.notNull())
    .addColumn('scope', 'text', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('access_tokens_pk', ['connection_id', 'token_hash'])
    .execute()
  await db.schema
    .createTable('mcp_sessions')
    .addColumn('connection_id', 'text', c => c.notNull())
    .addColumn('id_hash', 'text', c => c.notNull())
    .addColumn('protocol_version', 'text', c => c.notNull())
    .addColumn('selected_safe_id', 'text')
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('mcp_sessions_pk', ['connection_id', 'id_hash'])
    .execute()
}
