import type { Generated } from 'kysely'

/**
 * The tables, as `storage/migrations/` creates them. Times are milliseconds since 1970; flags are 0 or 1;
 * columns named `*_json` hold JSON text. Tables whose rows belong to a Safe lead their key with `safe_id`.
 */
export interface Schema {
  accounts: AccountsTable
  invitations: InvitationsTable
  login_sessions: LoginSessionsTable
  throttles: ThrottlesTable
  service_keys: ServiceKeysTable
  safes: SafesTable
  memberships: MembershipsTable
  imports: ImportsTable
  entities: EntitiesTable
  aliases: AliasesTable
  passages: PassagesTable
  relations: RelationsTable
  clients: ClientsTable
  connections: ConnectionsTable
  authorization_requests: AuthorizationRequestsTable
  grants: GrantsTable
  access_tokens: AccessTokensTable
  mcp_sessions: McpSessionsTable
}

interface AccountsTable {
  id: string
  /** Lower-cased. */
  email: string
  /** PHC string. */
  password_hash: string
  role: 'admin' | 'member'
  /** Login sessions that carry an older number are over (password change, "sign out everywhere"). */
  session_epoch: number
  created_at: number
}

/** One-time links: the set-up of the first account, and invitations. */
interface InvitationsTable {
  token_hash: string
  purpose: 'setup' | 'invite'
  email: string | null
  created_at: number
  expires_at: number
}

interface LoginSessionsTable {
  id_hash: string
  account_id: string
  epoch: number
  created_at: number
  expires_at: number
}

interface ThrottlesTable {
  key: string
  count: number
  expires_at: number
}

/** Keys the service made for itself (MAC of client ids and refresh tokens, CSRF). */
interface ServiceKeysTable {
  name: string
  /** base64url of 32 random bytes. */
  value: string
}

interface SafesTable {
  id: string
  name: string
  /** Raised by every import that becomes visible, every undo and every merge of imports. */
  version: Generated<number>
  created_at: number
  /** Of what is visible, summed over imports. */
  entities: Generated<number>
  relations: Generated<number>
  passages: Generated<number>
  /** Committed imports after `merged_through`. */
  import_count: Generated<number>
  /** Two moments with the same visible rows have the same; it follows from the one before and what changed. */
  content_hash: Generated<string>
  /** The version that the last undo made. */
  undone_version: Generated<number>
  /** Rows that an index of an older version names may be gone. */
  readable_from: Generated<number>
  /** The import that holds what all committed imports up to `merged_through` say; 0 while none are merged (ADR 31). */
  merged_layer: Generated<number>
  merged_through: Generated<number>
  /** Imports up to here are being merged: they are visible, but cannot be undone any more. */
  merging_through: Generated<number>
  /** The process that merges has this Safe until then. */
  merging_until: Generated<number>
  /** When `merged_through` was raised last. */
  merged_at: Generated<number>
  /** Up to here the rows of merged imports have been dropped. */
  dropped_through: Generated<number>
  /** `Counts` of the merged layer; null while none are merged. */
  merged_json: string | null
}

interface MembershipsTable {
  safe_id: string
  account_id: string
  role: 'owner' | 'reader'
  created_at: number
}

interface ImportsTable {
  safe_id: string
  /** 1, 2, 3 … within the Safe. */
  id: number
  /** `undone`: hidden for good, its rows gone or going; the row stays, so that its id is never used again. */
  status: 'staged' | 'committed' | 'failed' | 'undone'
  /** Where it came from, e.g. the file's name. */
  source: string
  format: string
  /** SHA-256 of the bytes, hex; null while they are still being read. Unique among a Safe's committed imports. */
  content_hash: string | null
  /** `ImportReport`: counts and bad lines. */
  report_json: string
  /** A staged import whose lease ran out is swept; its writer renews it. 0: nothing is left to be done. */
  lease_expires_at: number
  created_by: string
  created_at: number
  committed_at: number | null
}

interface EntitiesTable {
  safe_id: string
  import_id: number
  /** Normalized name: the identity of the entity in its Safe. */
  key: string
  name: string
  type: string | null
}

interface AliasesTable {
  safe_id: string
  import_id: number
  entity_key: string
  alias: string
}

interface PassagesTable {
  safe_id: string
  import_id: number
  id: number
  entity_key: string
  title: string
  text: string
  source: string | null
  /** Place in a sequence (a chat, a journal), or null. */
  seq: number | null
  time: number | null
  /** As for relations. */
  origin: string | null
}

interface RelationsTable {
  safe_id: string
  import_id: number
  id: number
  subject_key: string
  predicate: string
  object_key: string
  passage_id: number | null
  /** `source` of the import that brought it, when it was merged into this one (ADR 31). */
  origin: string | null
}

interface ClientsTable {
  id: string
  name: string
  redirect_uris_json: string
  grant_types_json: string
  created_at: number
  /** Null: never used; such a registration goes after 7 days (RULES G6). */
  last_used_at: number | null
}

/** Connections as the user sees them: kept after they ended, so that the page can say why. */
interface ConnectionsTable {
  id: string
  account_id: string
  client_id: string
  client_name: string
  client_verified: number
  /** Host the browser was sent to on approval. */
  redirect_host: string
  /** Space-separated. */
  scope: string
  /** `user` or `safe:<id>` (DESIGN §5.2). */
  resource: string
  resource_sent: number
  chosen_safe_id: string | null
  only_chosen_safe: number
  created_at: number
  last_used_at: number | null
  calls: number
  revoked_at: number | null
  revoked_reason: string | null
}

/** An authorization request that waits for its user's decision (one row per consent page). */
/** Authorization requests that were decided, until they expire. */
interface AuthorizationRequestsTable {
  /** The request's id. */
  id_hash: string
  /** Empty: requests themselves are kept by browsers (docs/decisions/0026). */
  request_json: string
  expires_at: number
}

/** What lives of a connection: its code, its refresh token, its latest selection. Absent = revoked. */
interface GrantsTable {
  connection_id: string
  /** `Grant`, as JSON. */
  facts_json: string
  selected_safe_id: string | null
  code_hash: string | null
  /** Redirect URI, challenge. */
  code_json: string | null
  code_expires_at: number
  code_used_at: number | null
  refresh_hash: string | null
  refresh_generation: number
  refresh_expires_at: number
  rotated_at: number
  /** The successor pair, sealed under a key of the token it replaced; null outside the grace window. */
  grace_pair: string | null
  expires_at: number
}

interface AccessTokensTable {
  connection_id: string
  token_hash: string
  scope: string
  expires_at: number
}

interface McpSessionsTable {
  connection_id: string
  id_hash: string
  protocol_version: string
  selected_safe_id: string | null
  expires_at: number
}
