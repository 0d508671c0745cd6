import type { Kysely } from 'kysely'
import { runStatements } from '../run-statements.js'

/** Folders of the machine that the service itself syncs into Safes (ADR 52). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runStatements(db, TABLES)
}

const TABLES = `
create table kept_folders (
  safe_id text not null references safes (id) on delete cascade,
  name text not null, folder text not null,
  account_id text not null references accounts (id) on delete cascade,
  problem_code text, problem text,
  constraint kept_folders_pk primary key (safe_id, name));
create index kept_folders_account on kept_folders (account_id);`
