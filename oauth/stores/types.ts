import type { Client } from '../clients/client.js'
import type { Connection, ConnectionPage, Grant, McpSession, Resource } from '../connections/access.js'

/**
 * Clients that registered dynamically, and clients with a metadata document that a user has approved. Times
 * are milliseconds since 1970.
 */
export interface ClientStore {
  /** Does nothing if the id exists: a returning client is restored, not changed. */
  add(client: Client): Promise<void>
  /** Like `add`, but updates an existing client to what its document says now. */
  put(client: Client): Promise<void>
  find(clientId: string): Promise<Client | null>
  /** A registration that has been used is never removed (RULES G6). */
  markUsed(clientId: string, at: number): Promise<void>
  /** Removes registrations created before `createdBefore` that were never used. */
  removeUnused(createdBefore: number): Promise<void>
  /**
   * Removes a batch of the oldest registrations that were never used while there are more than `keep`.
   * Returns true if there may be more to remove.
   */
  removeOldestUnused(keep: number): Promise<boolean>
}

/** Connections as users see them: durable rows that are kept after the connection ends. */
export interface ConnectionStore {
  add(connection: Connection & { resourceSent: boolean }): Promise<void>
  find(connectionId: string): Promise<Connection | null>
  /**
   * Lists the connections of an account in pages: newest first, or, for ended ones, most recently ended
   * first.
   */
  listFor(accountId: string, page: ConnectionPage & { limit: number }): Promise<Connection[]>
  /** Records that and why a connection ended. Later calls do not change the reason. */
  markRevoked(connectionId: string, at: number, reason: string): Promise<void>
  /** Like `markRevoked`, for at most `CONNECTION_BATCH_SIZE` connections. */
  markAllRevoked(connectionIds: readonly string[], at: number, reason: string): Promise<void>
  /** Adds to the call counts of at most `CONNECTION_BATCH_SIZE` connections in one statement. */
  recordUse(uses: readonly Use[]): Promise<void>
  /**
   * Returns up to `CONNECTION_BATCH_SIZE` connections that have not been ended and were created before
   * `createdBefore`, oldest first, starting after `after`.
   */
  oldest(createdBefore: number, after?: Pick<Connection, 'id' | 'createdAt'>): Promise<Connection[]>
  /** Deletes at most `CONNECTION_BATCH_SIZE` connections. */
  forget(connectionIds: readonly string[]): Promise<void>
  /** Deletes a batch of an account's connections. Returns false if none are left. */
  forgetSome(accountId: string): Promise<boolean>
}

/** The maximum number of connections in one statement. */
export const CONNECTION_BATCH_SIZE = 100

/** The number of calls of a connection and the time of the latest. */
export interface Use {
  connectionId: string
  calls: number
  at: number
}

/**
 * Records which authorization requests have been decided. The requests themselves are not stored: they are
 * sealed into the id of their consent page.
 */
export interface AuthorizationRequestStore {
  isDecided(id: string): Promise<boolean>
  /** Marks a request as decided until `expiresAt`. Returns true only for the first caller. */
  decide(id: string, expiresAt: number): Promise<boolean>
}

export interface StoredSecret {
  /** `hashSecret` of the secret. */
  hash: string
  expiresAt: number
}

export interface NewCode extends StoredSecret {
  redirectUri: string
  /** base64url SHA-256 of the verifier (RFC 7636 §4.2). */
  challenge: string
}

/** An attempt to exchange a code for tokens. `challenge` is computed from the presented verifier. */
export interface Redemption {
  connectionId: string
  codeHash: string
  clientId: string
  redirectUri: string
  challenge: string
  /** Null if the request has none; the resource of the grant then applies. */
  resource: Resource | null
  now: number
  access: StoredSecret
  refresh: StoredSecret
}

/**
 * `used`: repeated within the race window; `replayed`: repeated later, which revoked the connection (RULES
 * T12).
 */
export type RedeemOutcome =
  | { outcome: 'redeemed'; grant: Grant }
  | {
      outcome:
        | 'unknown'
        | 'expired'
        | 'other-client'
        | 'wrong-verifier'
        | 'wrong-redirect-uri'
        | 'wrong-resource'
        | 'used'
        | 'replayed'
    }

/** An attempt to refresh with a token that this service issued; the caller has verified its MAC. */
export interface Rotation {
  connectionId: string
  presented: { hash: string; generation: number }
  clientId: string
  resource: Resource | null
  /** Null: the full scope of the grant. */
  scope: string[] | null
  now: number
  access: StoredSecret
  /** One generation after the presented token. */
  refresh: StoredSecret
  /** The new token pair, encrypted for the holder of the old token. Null if the grace period is off. */
  sealed: string | null
  graceSeconds: number
}

/**
 * `raced`: reused within the race window; `reused`: reused later, which revoked the connection (DESIGN §5.4).
 */
export type RotateOutcome =
  | { outcome: 'rotated'; grant: Grant }
  | { outcome: 'repeated'; grant: Grant; sealed: string }
  | {
      outcome: 'unknown' | 'expired' | 'other-client' | 'wrong-resource' | 'wrong-scope' | 'raced' | 'reused'
    }

export interface FoundAccess {
  grant: Grant
  tokenScope: string[]
  selectedSafeId: string | null
  session: Omit<McpSession, 'id'> | null
}

/**
 * The active state of connections: grants, codes, tokens, selections and MCP sessions. A connection without a
 * grant here has ended. Each method is atomic.
 */
export interface GrantStore {
  /** Begins a connection with a code to redeem. Selects `grant.chosenSafeId`. */
  beginWithCode(connectionId: string, grant: Grant, code: NewCode, now: number): Promise<void>
  /** Begins a connection with one access token that cannot be refreshed. */
  beginWithToken(connectionId: string, grant: Grant, access: StoredSecret, now: number): Promise<void>
  /** Checks and consumes a code. Stores the new tokens only if the outcome is `redeemed`. */
  redeem(redemption: Redemption): Promise<RedeemOutcome>
  /** Checks and replaces a refresh token. Stores the new pair only if the outcome is `rotated`. */
  rotate(rotation: Rotation): Promise<RotateOutcome>
  find(connectionId: string): Promise<Grant | null>
  /**
   * The given connections that have a code, refresh token or directly issued token that has not expired at
   * `now`.
   */
  findActive(connectionIds: readonly string[], now: number): Promise<Set<string>>
  /** Ends the connection. All its codes, tokens and sessions stop working. */
  revoke(connectionId: string): Promise<void>
  /** Like `revoke`, for at most `CONNECTION_BATCH_SIZE` connections. Not atomic, but safe to repeat. */
  revokeAll(connectionIds: readonly string[]): Promise<void>
  revokeAccessToken(connectionId: string, tokenHash: string): Promise<void>

  /**
   * Everything an MCP request needs, in one round trip. Null if the token is unknown, expired or revoked at
   * `now`.
   */
  findAccess(
    connectionId: string,
    tokenHash: string,
    sessionHash: string | null,
    now: number,
  ): Promise<FoundAccess | null>
  /** Opens a session. If there are already `SESSIONS_PER_CONNECTION`, removes the least recently used one. */
  openSession(
    connectionId: string,
    session: StoredSecret & Omit<McpSession, 'id'>,
    now: number,
  ): Promise<void>
  endSession(connectionId: string, sessionHash: string): Promise<void>
  /**
   * Selects a Safe for the connection and, if the session still exists, for the session, and extends the
   * session.
   */
  select(connectionId: string, safeId: string, session: StoredSecret | null, now: number): Promise<void>
}

/** A limit, because some clients open a session for every call and never end it. */
export const SESSIONS_PER_CONNECTION = 100

/**
 * A code or refresh token repeated within this time is treated as a race between processes of the same
 * client.
 */
export const RACE_WINDOW_MS = 10_000
