import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Indexes that one process has built for the others (ADR 17). Only on Postgres: an embedded database has one process.
 * Unlogged, because everything in them can be built again: they are in no write-ahead log, no replica, and empty after
 * a crash. Stored as they are: compressing takes Postgres longer than writing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  for (const statement of [
    sql`create unlogged table if not exists index_snapshots (
      safe_id text collate "C" not null references safes (id) on delete cascade,
      content text collate "C" not null,
      parts integer not null,
      building_until bigint not null,
      saved_at bigint not null,
      used_at bigint not null,
      primary key (safe_id, content))`,
    sql`create index if not exists index_snapshots_use on index_snapshots (used_at)`,
    sql`create unlogged table if not exists index_parts (
      safe_id text collate "C" not null,
      content text collate "C" not null,
      part integer not null,
      bytes bytea not null,
      primary key (safe_id, content, part),
      foreign key (safe_id, content) references index_snapshots (safe_id, content) on delete cascade)`,
    sql`alter table index_parts alter column bytes set storage external`,
  ])
    await statement.execute(db)
}
