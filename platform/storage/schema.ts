import type { Generated, Kysely } from 'kysely'

/** The tables, to be read; in a transaction, also to be changed. */
export type Db = Kysely<Schema>

/** A row that belongs to a Safe. */
interface OfSafe {
  safe_id: string
}

/** A row of a layer of a Safe: of an import, or of a version of a file. */
interface Layered extends OfSafe {
  import_id: number
}

/**
 * The tables, as `platform/storage/migrations/` creates them, and the meaning of their columns. Times are milliseconds since 1970; flags are 0 or 1;
 * columns named `*_json` hold JSON text. Tables whose rows belong to a Safe lead their key with `safe_id`.
 */
export interface Schema {
  accounts: {
    id: string
    /** Lower-cased. */
    email: string
    /** PHC string, or empty: no password. */
    password_hash: string
    role: 'admin' | 'member'
    /** Login sessions with a lower epoch are invalid (password change, "sign out everywhere"). */
    session_epoch: number
    created_at: number
    /** When it asked its first question, on a page or with an assistant; null: never. */
    asked_at: number | null
    /** The newest entry of `activity` whose notice it has seen. */
    seen_activity: string | null
    /** Whether it gets notifications by e-mail (ADR 47). */
    wants_mail: Generated<number>
    /** The user of the account has proven that the address is theirs (ADR 64). */
    email_proven: Generated<number>
    /** The OpenID provider created it: if the provider's rules apply, there is no other way to sign in (ADR 64). */
    provider_only: Generated<number>
    /** The first account in the chain of invitations up to this account, or null. They share limits (ADR 47). */
    invited_root: string | null
  }
  /** The identity of an account at an OpenID provider: at most one subject of each (ADR 64). */
  openid_identities: { issuer: string; subject: string; account_id: string; created_at: number }
  /** Public keys with which accounts sign in (ADR 64). */
  passkeys: {
    /** The credential id, base64url. */
    id: string
    account_id: string
    name: string
    /** COSE key, base64url. */
    public_key: string
    /** The signature counter of the authenticator; 0: none. */
    counter: number
    created_at: number
    last_used_at: number | null
  }
  /** One-time links: set-up of the first account, and invitations. */
  invitations: {
    token_hash: string
    purpose: 'setup' | 'invite' | 'reset'
    email: string | null
    created_at: number
    expires_at: number
    /** Names the link in lists. Never null in migrated rows. */
    id: string | null
    /** The account that made the link, or null. */
    invited_by: string | null
    /** The Safe that it also gives access to, and the role there. */
    safe_id: string | null
    role: 'owner' | 'reader' | null
    /** The account whose password it resets. */
    account_id: string | null
  }
  login_sessions: {
    id_hash: string
    account_id: string
    epoch: number
    created_at: number
    expires_at: number
    /** As sent at sign-in. Null: signed in before 0005. */
    user_agent: string | null
    address: string | null
    last_seen_at: number | null
  }
  throttles: { key: string; count: number; expires_at: number }
  /** Keys that the service has generated for itself (MAC of client ids and refresh tokens, CSRF). */
  service_keys: {
    name: string
    /** base64url of 32 random bytes. */
    value: string
  }
  safes: {
    id: string
    name: string
    /** Increased by every visible import, undo and merge of imports. */
    version: Generated<number>
    created_at: number
    /** Number of visible records, summed over imports. */
    entities: Generated<number>
    relations: Generated<number>
    passages: Generated<number>
    /** Committed imports after `merged_through`. */
    import_count: Generated<number>
    /** Equal for equal visible rows. Derived from the previous hash and the change. */
    content_hash: Generated<string>
    /** The version created by the last undo. */
    undone_version: Generated<number>
    /** Indexes of versions below this may refer to deleted rows. */
    readable_from: Generated<number>
    /** The import that holds the merged rows of all committed imports up to `merged_through`; 0: none (ADR 31). */
    merged_layer: Generated<number>
    merged_through: Generated<number>
    /** Imports up to this one are being merged: still visible, but no longer undoable. */
    merging_through: Generated<number>
    /** When the lease of the merging process expires. */
    merging_until: Generated<number>
    /** When `merged_through` last increased. */
    merged_at: Generated<number>
    /** The rows of merged imports up to this one have been deleted. */
    dropped_through: Generated<number>
    /** `Counts` of the merged layer; null while nothing is merged. */
    merged_json: string | null
    /** The version of `counted_json`, a `SafeCounts` (ADR 41); -1: none. */
    counted_version: Generated<number>
    counted_json: string | null
    /** A removed Safe can be restored until then (ADR 45); 0: not removed. */
    restorable_until: Generated<number>
  }
  /** `removed_memberships` holds those of removed Safes, so that no read can find one. */
  memberships: OfSafe & {
    account_id: string
    role: 'owner' | 'reader'
    created_at: number
    /** The account that invited this one, or null. */
    invited_by: string | null
  }
  removed_memberships: Schema['memberships']
  imports: OfSafe & {
    /** 1, 2, 3 … within the Safe. */
    id: number
    /**
     * `undone`: hidden. Its rows are being deleted, or kept until `restorable_until`. This row remains, so that
     * the id is never reused.
     */
    status: 'staged' | 'committed' | 'failed' | 'undone'
    /** The source, e.g. a file name. */
    source: string
    format: string
    /** SHA-256 of the content, hex; null until it has been read. Unique among a Safe's committed imports. */
    content_hash: string | null
    /** An `ImportReport`: counts and bad lines. */
    report_json: string
    /** A staged import is swept when its lease expires; its writer renews the lease. 0: nothing left to do. */
    lease_expires_at: number
    created_by: string
    created_at: number
    committed_at: number | null
    /** An undone import can be restored until then, when its lease also expires (ADR 45); 0: it cannot. */
    restorable_until: Generated<number>
  }
  entities: Layered & {
    /** The normalized name, which identifies the entity within its Safe. */
    key: string
    name: string
    type: string | null
  }
  aliases: Layered & { entity_key: string; alias: string }
  /** `key` is the same entity as `same_as`; if they are equal, it is not merged (ADR 56). */
  identities: Layered & { key: string; same_as: string }
  /** Two entities that an owner marked as different, so that they are not offered as duplicates. */
  distinct_entities: OfSafe & {
    /** The one whose key comes first. */
    key: string
    other_key: string
  }
  passages: Layered & {
    id: number
    entity_key: string
    title: string
    text: string
    source: string | null
    /** Position in a sequence (a chat, a journal), or null. */
    seq: number | null
    time: number | null
    /** As in `RelationsTable`. */
    origin: string | null
    /** Its document in the same layer, and its first line there (1-based); null: none. */
    document_id: number | null
    line: number | null
  }
  relations: Layered & {
    id: number
    subject_key: string
    predicate: string
    object_key: string
    passage_id: number | null
    /** `source` of the original import, if merged into this one (ADR 31). */
    origin: string | null
    /** Dates (`engine/graph/text/date.ts`); null: an open end, or learned on the day of the import (ADR 55). */
    valid_from: string | null
    valid_to: string | null
    learned_on: string | null
  }
  /** An imported document, to be read as a whole (ADR 70). `import_id` is that of its rows. */
  documents: Layered & {
    /** 1, 2, 3 … within its layer. */
    id: number
    /** Path in its folder or archive, with slashes; the newest visible one of a path is shown. */
    path: string
    /** Its file name without extension, in lower case: its name in `[[links]]`. */
    name_key: string
    title: string
    /** `DocumentKind` of `platform/common/`. */
    kind: string
    /** The stored text: all of it, its beginning (if very long), or only the passages (an import before 0016). */
    kept: 'whole' | 'beginning' | 'passages'
    /** Bytes of the file. */
    size: number
    /** Bytes of its text, and its number of parts. */
    text_bytes: number
    parts: number
    /** The date in the document. */
    time: number | null
    /** A list of texts. */
    tags_json: string
    /** SHA-256 of its text, base64url; empty if only its passages are stored. */
    content_hash: string
  }
  /** The text of a document: each part is compressed by itself (raw deflate). */
  document_texts: Layered & { document_id: number; part: number; bytes: Uint8Array }
  /** A folder that is synced into a Safe (ADR 52). Each run that changes something is an import. */
  synced_folders: OfSafe & {
    /** 1, 2, 3 … within the Safe. */
    id: number
    /** Unique within the Safe. */
    name: string
    /** Its location at the last run. */
    folder: string
    /** The import whose state readers see: that of the last run that was not undone; 0: none. */
    visible_run: number
    /** The import of a run in progress; 0: none. */
    pending_run: number
    /** Runs up to this one can no longer be undone: the versions they replaced have been dropped. */
    dropped_run: number
    /** The highest id of a file's version so far. Ids are never reused. */
    last_version: number
    /** Visible files, and their contents: distinct entities, relations and passages. */
    files: number
    entities: number
    relations: number
    passages: number
    /** The run that holds the folder, and when its lease expires. */
    holder: string
    held_until: number
    /** When the last run ended; 0: never. */
    checked_at: number
    /** `SyncReport` of the last run. */
    report_json: string
  }
  /** A folder of the server that the service itself syncs into a Safe. Its state is in `synced_folders`. */
  kept_folders: OfSafe & {
    name: string
    /** Its path, without links. */
    folder: string
    /** The administrator who has chosen it. */
    account_id: string
    /** The reason why the last run failed. */
    problem_code: string | null
    problem: string | null
  }
  /**
   * A version of a file of a synced folder. It is a separate layer: its rows have its id as `import_id`. Visible
   * while `from_run` <= the folder's `visible_run` < `until_run`.
   */
  synced_files: OfSafe & {
    /** Unique within the Safe, and above all ids of imports. */
    id: number
    folder_id: number
    /** The first version of the same file, across changes and renames. */
    first_id: number
    path: string
    size: number
    /** 0: unknown, so that the next run reads the file again. */
    modified_at: number
    /** SHA-256, base64url; empty until the file has been read. */
    content_hash: string
    /** Names of notes that its links were looked up by, one per line (`NoteNames`); "*": too many to store. */
    looked_up: string
    relations: number
    passages: number
    from_run: number
    until_run: number
  }
  /** Uploads that the HTTP API has received and not used yet (ADR 57). The bytes are in `DATA_DIR/received`. */
  uploads: {
    /** Also the name of the file, or of the folder of a run. */
    id: string
    account_id: string
    safe_id: string
    /** A file for an import, or the contents for a run of a synced folder, which has `ended` or not. */
    kind: 'file' | 'run' | 'ended'
    /** The name of the file, or of the folder. */
    name: string
    /** The size of the file when it is complete, or of all contents that the run needs. */
    bytes: number
    /** For runs: the request, and the result. */
    run_json: string | null
    created_at: number
    expires_at: number
  }
  /** Predicates for which a Safe's things have one value at a time, so that a newer fact supersedes an older one (ADR 55). */
  single_valued: OfSafe & {
    /** As in the index: folded, in words. */
    predicate: string
  }
  /** A fact or a passage that an owner has removed, regardless of later imports (ADR 45). */
  removed_statements: OfSafe & {
    /** Derived from its content. */
    id: string
    kind: 'fact' | 'passage'
    /** `FactKeys` or `PassageKeys`. */
    keys_json: string
    /** The text shown for it: a list of texts. */
    shown_json: string
    removed_at: number
  }
  clients: {
    id: string
    name: string
    redirect_uris_json: string
    grant_types_json: string
    created_at: number
    /** Null: never used. Such registrations are deleted after 7 days (RULES G6). */
    last_used_at: number | null
  }
  /** Connections as shown to the user. Kept after they end, so that the page can show the reason. */
  connections: {
    id: string
    account_id: string
    client_id: string
    client_name: string
    /** 0: unverified, 1: verified, 2: known (`domain/oauth/clients/app-trust.ts`). */
    client_verified: number
    /** The host of the redirect URI. */
    redirect_host: string
    /** Space-separated. */
    scope: string
    /** `user` or `safe:<id>` (DESIGN §5.2). */
    resource: string
    resource_sent: number
    /** The first chosen Safe. */
    chosen_safe_id: string | null
    /** All chosen Safes if there are several, otherwise null. */
    chosen_safes_json: string | null
    only_chosen_safe: number
    created_at: number
    last_used_at: number | null
    calls: number
    revoked_at: number | null
    revoked_reason: string | null
    /** Whether the text of its questions is stored in `activity`. */
    keep_questions: Generated<number>
    /** Its app (`domain/oauth/clients/app.ts`); null: none that connects again. */
    app: string | null
    /** Space-separated: `propose`, `search`. Null in rows of earlier versions. */
    powers: string | null
  }
  /** Decided authorization requests, until they expire. */
  authorization_requests: {
    /** The id of the request. */
    id_hash: string
    /** Empty: browsers store the requests themselves (docs/decisions/0005). */
    request_json: string
    expires_at: number
  }
  /** The live state of a connection: code, refresh token, latest selection. No row: revoked. */
  grants: {
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
    /**
     * The seed of the latest pair of tokens, used with the code or token that it replaced, and its scope; null
     * once its client has received it.
     */
    grace_pair: string | null
    expires_at: number
  }
  access_tokens: { connection_id: string; token_hash: string; scope: string; expires_at: number }
  mcp_sessions: {
    connection_id: string
    id_hash: string
    protocol_version: string
    selected_safe_id: string | null
    expires_at: number
    /** 1 if its client shows pages of a server next to answers (MCP Apps). */
    shows_apps: number
  }
  /** Actions of assistants and people, until they expire (ADR 43). */
  activity: {
    /** Begins with the time, so ids sort by time (`domain/activity/entry-id.ts`). */
    id: string
    /** The account that acted or is affected. */
    account_id: string
    /** An `ActivityKind`. */
    kind: string
    safe_id: string | null
    connection_id: string | null
    detail: string | null
    /** Number of facts and passages in an answer or an import. */
    facts: number
    passages: number
    question: string | null
    /** The first of the facts and passages in the answer: a list of `ReadItem`. */
    read_json: string | null
  }
  /** How often an assistant read a document on one day, for the last 30 days (ADR 43). */
  document_reads: OfSafe & {
    path: string
    /** Days since 1970, in UTC. */
    day: number
    connection_id: string
    /** The account of the assistant. */
    account_id: string
    times: number
    last_at: number
    /** The passages that were read: some `<import>.<first>-<last>`, the latest first. Longer lists are cut off. */
    parts: string
  }
  /** Assistants' proposals to a Safe (ADR 53). Rows are stored until they expire, also after the decision. */
  proposals: {
    id: string
    safe_id: string
    /** The account of the assistant. */
    account_id: string
    connection_id: string
    status: 'pending' | 'accepted' | 'rejected'
    /** Hash of the statements. The same content is one proposal. */
    content_hash: string
    /** A list of `[subject, predicate, object]`, then of `[path, change, text, at, version]`. */
    statements_json: string
    note: string | null
    source: string | null
    created_at: number
    expires_at: number
  }
  /** Connections whose proposals to a Safe are always rejected. */
  rejected_connections: OfSafe & { connection_id: string }
  /** MCP requests of a connection on one day, for the last 30 days. */
  connection_days: {
    connection_id: string
    /** Days since 1970, in UTC. */
    day: number
    calls: number
  }
  /** An index that one process has built for the others, or is building (ADR 17). On Postgres only. */
  index_snapshots: OfSafe & {
    /** The format of the index and its visible rows. */
    content: string
    /** Number of rows in `index_parts`; 0 while it is being built. */
    parts: number
    /** When another process may build it instead; 0: it is complete. */
    building_until: number
    saved_at: number
    /** When a process last loaded it, to the day. */
    used_at: number
  }
  index_parts: OfSafe & {
    content: string
    /** 0 is the header. */
    part: number
    bytes: Buffer
  }
}
