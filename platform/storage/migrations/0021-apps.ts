import { type Kysely, PostgresAdapter } from 'kysely'
import { runStatements } from '../run-statements.js'

/**
 * The database, as the first 21 migrations left it. What a column means is in `platform/storage/schema.ts`. Columns that
 * were added later are at the end of their table, because a new installation has the same tables as an old one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runStatements(db, TABLES)
  if (db.getExecutor().adapter instanceof PostgresAdapter) await runStatements(db, POSTGRES_TABLES)
}

const TABLES = `
-- PEOPLE. Accounts, and the ways in: passwords, an OpenID provider, passkeys, one-time links.
create table accounts (
  id text primary key, email text not null unique, password_hash text not null, role text not null,
  session_epoch integer default 0 not null, created_at bigint not null, asked_at bigint,
  seen_activity text, wants_mail integer default 1 not null, email_proven integer default 0 not null,
  provider_only integer default 0 not null, invited_root text);
create index accounts_created on accounts (created_at, id);
create table openid_identities (
  issuer text not null, subject text not null,
  account_id text not null references accounts (id) on delete cascade,
  created_at bigint not null,
  constraint openid_identities_pk primary key (issuer, subject));
create unique index openid_identities_account on openid_identities (account_id, issuer);
create table passkeys (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  name text not null, public_key text not null, counter bigint not null, created_at bigint not null,
  last_used_at bigint);
create index passkeys_account on passkeys (account_id, created_at);
create table invitations (
  token_hash text primary key, purpose text not null, email text, created_at bigint not null,
  expires_at bigint not null, id text, invited_by text, safe_id text, role text, account_id text);
create index invitations_expiry on invitations (expires_at);
create index invitations_of_safe on invitations (safe_id, created_at) where safe_id is not null;
create index invitations_by_maker on invitations (invited_by) where invited_by is not null;
create index invitations_listed on invitations (created_at, id);

-- Who is signed in, what is being counted against abuse, and the keys that sign and seal.
create table login_sessions (
  id_hash text primary key, account_id text not null, epoch integer not null,
  created_at bigint not null, expires_at bigint not null, user_agent text, address text,
  last_seen_at bigint);
create index login_sessions_expiry on login_sessions (expires_at);
create index login_sessions_account on login_sessions (account_id, created_at);
create table throttles (key text primary key, count bigint not null, expires_at bigint not null);
create index throttles_expiry on throttles (expires_at);
create table service_keys (name text primary key, value text not null);

-- SAFES, their owners and readers. Removed Safes keep their members where no read finds them (ADR 45).
create table safes (
  id text primary key, name text not null, version integer default 0 not null,
  created_at bigint not null, entities bigint default 0 not null, relations bigint default 0 not null,
  passages bigint default 0 not null, import_count bigint default 0 not null,
  undone_version bigint default 0 not null, readable_from bigint default 0 not null,
  merged_layer bigint default 0 not null, merged_through bigint default 0 not null,
  merging_through bigint default 0 not null, merging_until bigint default 0 not null,
  merged_at bigint default 0 not null, dropped_through bigint default 0 not null,
  content_hash text default '' not null, merged_json text, restorable_until bigint default 0 not null,
  counted_version bigint default -1 not null, counted_json plain_text);
create index safes_import_count on safes (import_count);
create index safes_merged on safes (merged_at) where dropped_through < merged_through;
create table memberships (
  safe_id text not null references safes (id) on delete cascade,
  account_id text not null references accounts (id) on delete cascade,
  role text not null, created_at bigint not null, invited_by text,
  constraint memberships_pk primary key (safe_id, account_id));
create index memberships_joined on memberships (account_id, created_at, safe_id);
create table removed_memberships (
  safe_id text not null references safes (id) on delete cascade,
  account_id text not null references accounts (id) on delete cascade,
  role text not null, created_at bigint not null, invited_by text,
  constraint removed_memberships_pk primary key (safe_id, account_id));
create index removed_memberships_account on removed_memberships (account_id, safe_id);

-- What was imported. Its rows have its id as import_id: a layer, which appears and goes as a whole (ADR 31).
create table imports (
  safe_id text not null, id bigint not null, status text not null, source text not null,
  format text not null, content_hash text, report_json text not null, lease_expires_at bigint not null,
  created_by text not null, created_at bigint not null, committed_at bigint,
  restorable_until bigint default 0 not null,
  constraint imports_pk primary key (safe_id, id));
create unique index "imports_content" on "imports" ("safe_id", "content_hash") where "status" = 'committed';
create index imports_leased on imports (safe_id, id) where lease_expires_at > 0;
create index imports_restorable on imports (safe_id, id) where restorable_until > 0;
create index imports_open on imports (created_by, created_at)
      where status in ('staged', 'failed');

-- THE GRAPH in layers. Without row ids, SQLite clusters a layer: it is fast to append, scan and delete.
create table entities (
  safe_id text not null, import_id bigint not null, key text not null, name text not null, type text,
  constraint entities_pk primary key (safe_id, import_id, key)) without rowid;
create table aliases (
  safe_id text not null, import_id bigint not null, entity_key text not null, alias text not null,
  constraint aliases_pk primary key (safe_id, import_id, entity_key, alias)) without rowid;
create table identities (
  safe_id text not null, import_id bigint not null, key text not null, same_as text not null,
  constraint identities_pk primary key (safe_id, import_id, key)) without rowid;
create table relations (
  safe_id text not null, import_id bigint not null, id integer not null, subject_key text not null,
  predicate text not null, object_key text not null, passage_id integer, origin text, valid_from text,
  valid_to text, learned_on text,
  constraint relations_pk primary key (safe_id, import_id, id)) without rowid;
create table passages (
  safe_id text not null, import_id bigint not null, id integer not null, entity_key text not null,
  title text not null, text text not null, source text, seq integer, time bigint, origin text,
  document_id integer, line integer,
  constraint passages_pk primary key (safe_id, import_id, id)) without rowid;
create index passages_document on passages (safe_id, import_id, document_id) where document_id is not null;

-- What owners decided about the graph, whatever is imported (ADR 45, 55, 56).
create table distinct_entities (
  safe_id text not null references safes (id) on delete cascade,
  key text not null, other_key text not null,
  constraint distinct_entities_pk primary key (safe_id, key, other_key));
create table single_valued (
  safe_id text not null references safes (id) on delete cascade,
  predicate text not null,
  constraint single_valued_pk primary key (safe_id, predicate));
create table removed_statements (
  safe_id text not null references safes (id) on delete cascade,
  id text not null, kind text not null, keys_json text not null, shown_json text not null,
  removed_at bigint not null,
  constraint removed_statements_pk primary key (safe_id, id));

-- Documents, to be read as a whole (ADR 70), in the same layers.
create table documents (
  safe_id text not null, import_id bigint not null, id integer not null, path text not null,
  name_key text not null, title text not null, kind text not null, kept text not null,
  size bigint not null, text_bytes bigint not null, parts integer not null, time bigint,
  tags_json text not null, content_hash text not null,
  constraint documents_pk primary key (safe_id, import_id, id)) without rowid;
create index "documents_path" on "documents" ("safe_id", "path");
create index "documents_name" on "documents" ("safe_id", "name_key");
create table document_texts (
  safe_id text not null, import_id bigint not null, document_id integer not null, part integer not null,
  bytes bytes not null,
  constraint document_texts_pk primary key (safe_id, import_id, document_id, part));

-- Folders that a Safe is kept in step with (ADR 52): each version of a file is a layer. Uploads on their way.
create table synced_folders (
  safe_id text not null references safes (id) on delete cascade,
  id integer not null, name text not null, folder text not null, visible_run bigint not null,
  pending_run bigint not null, dropped_run bigint not null, last_version bigint not null,
  files integer not null, entities integer not null, relations integer not null,
  passages integer not null, holder text not null, held_until bigint not null,
  checked_at bigint not null, report_json text not null,
  constraint synced_folders_pk primary key (safe_id, id),
  constraint synced_folders_name unique (safe_id, name));
create table synced_files (
  safe_id text not null, id bigint not null, folder_id integer not null, first_id bigint not null,
  path text not null, size bigint not null, modified_at bigint not null, content_hash text not null,
  looked_up text not null, relations integer not null, passages integer not null,
  from_run bigint not null, until_run bigint not null,
  constraint synced_files_pk primary key (safe_id, id));
create index synced_files_from on synced_files (safe_id, folder_id, from_run);
create index synced_files_until on synced_files (safe_id, folder_id, until_run, id);
create index synced_files_path on synced_files (safe_id, path);
create table uploads (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  safe_id text not null references safes (id) on delete cascade,
  kind text not null, name text not null, bytes bigint not null, run_json text,
  created_at bigint not null, expires_at bigint not null);
create index uploads_account on uploads (account_id);
create index uploads_safe on uploads (safe_id);
create index uploads_expiry on uploads (expires_at);

-- ASSISTANTS. OAuth clients and their connections to accounts, which stay listed when they have ended.
create table clients (
  id text primary key, name text not null, redirect_uris_json text not null,
  grant_types_json text not null, created_at bigint not null, last_used_at bigint);
create index clients_unused on clients (created_at) where last_used_at is null;
create table connections (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  client_id text not null, client_name text not null, client_verified integer not null,
  redirect_host text not null, scope text not null, resource text not null,
  resource_sent integer not null, chosen_safe_id text, only_chosen_safe integer not null,
  created_at bigint not null, last_used_at bigint, calls integer default 0 not null, revoked_at bigint,
  revoked_reason text, keep_questions integer default 1 not null, chosen_safes_json text, app text,
  powers text);
create index connections_open on connections (account_id, created_at, id)
      where revoked_at is null;
create index connections_ended on connections (account_id, revoked_at, id)
      where revoked_at is not null;
create index connections_revoked on connections (revoked_at) where revoked_at is not null;
create index connections_created on connections (created_at, id);
create index connections_listed on connections (account_id, created_at, id);
create index connections_app on connections (account_id, app, created_at, id)
      where app is not null;
create index connections_app_open on connections (account_id, app, created_at, id)
      where revoked_at is null;
create index connections_app_ended on connections (account_id, app, revoked_at, id)
      where revoked_at is not null;
create table connection_days (
  connection_id text not null references connections (id) on delete cascade,
  day integer not null, calls integer not null,
  constraint connection_days_pk primary key (connection_id, day));
create index connection_days_day on connection_days (day);

-- Codes, tokens and MCP sessions of connections, as hashes. With Redis, they are there instead.
create table authorization_requests (
  id_hash text primary key, request_json text not null, expires_at bigint not null);
create index authorization_requests_expiry on authorization_requests (expires_at);
create table grants (
  connection_id text primary key, facts_json text not null, selected_safe_id text, code_hash text,
  code_json text, code_expires_at bigint not null, code_used_at bigint, refresh_hash text,
  refresh_generation integer not null, refresh_expires_at bigint not null, rotated_at bigint not null,
  grace_pair text, expires_at bigint not null);
create index grants_expiry on grants (expires_at);
create index grants_grace on grants (rotated_at) where grace_pair is not null;
create table access_tokens (
  connection_id text not null, token_hash text not null, scope text not null,
  expires_at bigint not null,
  constraint access_tokens_pk primary key (connection_id, token_hash));
create index access_tokens_expiry on access_tokens (expires_at);
create table mcp_sessions (
  connection_id text not null, id_hash text not null, protocol_version text not null,
  selected_safe_id text, expires_at bigint not null, shows_apps integer default 0 not null,
  constraint mcp_sessions_pk primary key (connection_id, id_hash));
create index mcp_sessions_expiry on mcp_sessions (expires_at);

-- What assistants propose and owners decide (ADR 53).
create table proposals (
  id text primary key,
  safe_id text not null references safes (id) on delete cascade,
  account_id text not null references accounts (id) on delete cascade,
  connection_id text not null, status text not null, content_hash text not null,
  statements_json text not null, note text, source text, created_at bigint not null,
  expires_at bigint not null,
  constraint proposals_content unique (safe_id, content_hash));
create index proposals_pending on proposals (safe_id, created_at, id) where status = 'pending';
create index proposals_connection on proposals (connection_id, created_at);
create index proposals_account on proposals (account_id);
create index proposals_expiry on proposals (expires_at);
create table rejected_connections (
  safe_id text not null references safes (id) on delete cascade,
  connection_id text not null references connections (id) on delete cascade,
  constraint rejected_connections_pk primary key (safe_id, connection_id));
create index rejected_connections_connection on rejected_connections (connection_id);

-- What assistants and people did (ADR 43, 71), until it expires.
create table activity (
  id text primary key, account_id text not null, kind text not null, safe_id text, connection_id text,
  detail text, facts integer not null, passages integer not null, question text, read_json text);
create index activity_account on activity (account_id, id);
create index activity_safe on activity (safe_id, id) where safe_id is not null;
create index activity_connection on activity (connection_id, id)
      where connection_id is not null;
create index activity_notices on activity (account_id, id) where kind in
      ('connected', 'refresh-reused', 'import-failed', 'signed-in-new', 'reset-link', 'password-reset');
create table document_reads (
  safe_id text not null, path text not null, day integer not null, connection_id text not null,
  account_id text not null, times integer not null, last_at bigint not null, parts text not null,
  constraint document_reads_pk primary key (safe_id, path, day, connection_id)) without rowid;
create index "document_reads_day" on "document_reads" ("day");
create index "document_reads_account_id" on "document_reads" ("account_id");`

/**
 * Indexes that one process has built for the others (ADR 17); an embedded database has one process. They can be built
 * again, so they are in no write-ahead log and empty after a crash. Compressing them would take longer than writing.
 */
const POSTGRES_TABLES = `
create unlogged table index_snapshots (
  safe_id text not null references safes (id) on delete cascade,
  content text not null, parts integer not null,
  building_until bigint not null, saved_at bigint not null, used_at bigint not null,
  primary key (safe_id, content));
create index index_snapshots_use on index_snapshots (used_at);
create unlogged table index_parts (
  safe_id text not null, content text not null, part integer not null, bytes bytes not null,
  primary key (safe_id, content, part),
  foreign key (safe_id, content) references index_snapshots (safe_id, content) on delete cascade);
alter table index_parts alter column bytes set storage external;`
