import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Folders that Safes are kept in step with, and the versions of their files (ADR 52). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('synced_folders')
    .ifNotExists()
    .addColumn('safe_id', text, c => c.notNull().references('safes.id').onDelete('cascade'))
    .addColumn('id', 'integer', c => c.notNull())
    .addColumn('name', text, c => c.notNull())
    .addColumn('folder', text, c => c.notNull())
    .addColumn('visible_run', 'bigint', c => c.notNull())
    .addColumn('pending_run', 'bigint', c => c.notNull())
    .addColumn('dropped_run', 'bigint', c => c.notNull())
    .addColumn('last_version', 'bigint', c => c.notNull())
    .addColumn('files', 'integer', c => c.notNull())
    .addColumn('entities', 'integer', c => c.notNull())
    .addColumn('relations', 'integer', c => c.notNull())
    .addColumn('passages', 'integer', c => c.notNull())
    .addColumn('holder', text, c => c.notNull())
    .addColumn('held_until', 'bigint', c => c.notNull())
    .addColumn('checked_at', 'bigint', c => c.notNull())
    .addColumn('report_json', text, c => c.notNull())
    .addPrimaryKeyConstraint('synced_folders_pk', ['safe_id', 'id'])
    .addUniqueConstraint('synced_folders_name', ['safe_id', 'name'])
    .execute()
  await db.schema
    .createTable('synced_files')
    .ifNotExists()
    .addColumn('safe_id', text, c => c.notNull())
    .addColumn('id', 'bigint', c => c.notNull())
    .addColumn('folder_id', 'integer', c => c.notNull())
    .addColumn('first_id', 'bigint', c => c.notNull())
    .addColumn('path', text, c => c.notNull())
    .addColumn('size', 'bigint', c => c.notNull())
    .addColumn('modified_at', 'bigint', c => c.notNull())
    .addColumn('content_hash', text, c => c.notNull())
    .addColumn('looked_up', text, c => c.notNull())
    .addColumn('relations', 'integer', c => c.notNull())
    .addColumn('passages', 'integer', c => c.notNull())
    .addColumn('from_run', 'bigint', c => c.notNull())
    .addColumn('until_run', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('synced_files_pk', ['safe_id', 'id'])
    .execute()
  for (const index of [
    sql`create index if not exists synced_files_from on synced_files (safe_id, folder_id, from_run)`,
    sql`create index if not exists synced_files_until on synced_files (safe_id, folder_id, until_run, id)`,
    sql`create index if not exists synced_files_path on synced_files (safe_id, path)`,
  ])
    await index.execute(db)
}
