import type { Client } from '../clients/client.js'
import type { Connection, ConnectionPage, Grant, McpSession, Resource } from '../connections/access.js'

/** Clients that registered themselves, and those with documents that users have approved. Times are milliseconds since 1970. */
export interface ClientStore {
  /** Does nothing when the id is taken: a client that comes back is restored, not changed. */
  add(client: Client): Promise<void>
  /** As `add`; what is already kept of it becomes what its document says now. */
  put(client: Client): Promise<void>
  find(clientId: string): Promise<Client | null>
  /** Once used, a registration stays (RULES G6). */
  markUsed(clientId: string, at: number): Promise<void>
  /** Forgets registrations made before `createdBefore` that nobody ever used. */
  removeUnused(createdBefore: number): Promise<void>
  /**
   * Forgets some of the registrations that nobody ever used, oldest first, while there are more than `keep` of them. True
   * when there may still be more.
   */
  removeOldestUnused(keep: number): Promise<boolean>
}

/** Connections as their users see them: durable rows, kept after the connection ended. */
export interface ConnectionStore {
  add(connection: Connection & { resourceSent: boolean }): Promise<void>
  find(connectionId: string): Promise<Connection | null>
  /** Those of an account, in pages: newest first, or of those that were ended the one that ended last. */
  listFor(accountId: string, page: ConnectionPage & { limit: number }): Promise<Connection[]>
  /** Says that and why it ended; the first reason stays. */
  markRevoked(connectionId: string, at: number, reason: string): Promise<void>
  /** As `markRevoked`, of at most `CONNECTION_BATCH_SIZE`. */
  markAllRevoked(connectionIds: readonly string[], at: number, reason: string): Promise<void>
  /** Adds to the counts of answered requests, of at most `CONNECTION_BATCH_SIZE` connections, in one statement. */
  recordUse(uses: readonly Use[]): Promise<void>
  /**
   * Connections that nobody ended, made before `createdBefore`, in order of that; `CONNECTION_BATCH_SIZE` after the one
   * named.
   */
  oldest(createdBefore: number, after?: Pick<Connection, 'id' | 'createdAt'>): Promise<Connection[]>
  /** Forgets connections, at most `CONNECTION_BATCH_SIZE`. */
  forget(connectionIds: readonly string[]): Promise<void>
  /** Forgets some of an account's connections. False when none are left. */
  forgetSome(accountId: string): Promise<boolean>
}

/** Connections that one statement names. */
export const CONNECTION_BATCH_SIZE = 100

/** Answered requests of a connection, the last of them at `at`. */
export interface Use {
  connectionId: string
  calls: number
  at: number
}

/** Which authorization requests were decided. The requests themselves are kept by their browsers, sealed. */
export interface AuthorizationRequestStore {
  isDecided(id: string): Promise<boolean>
  /** Remembers until `expiresAt` that it was decided. Of several callers the first gets true. */
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

/** An attempt to turn a code into tokens; `challenge` is computed from the verifier that was presented. */
export interface Redemption {
  connectionId: string
  codeHash: string
  clientId: string
  redirectUri: string
  challenge: string
  /** Null: none sent, the authorized one holds. */
  resource: Resource | null
  now: number
  access: StoredSecret
  refresh: StoredSecret
}

/** `used`: a repeat soon after; `replayed`: a late one, which has revoked the connection (RULES T12). */
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

/** An attempt to refresh with a token that the caller has recognised as issued by us (its MAC is right). */
export interface Rotation {
  connectionId: string
  presented: { hash: string; generation: number }
  clientId: string
  resource: Resource | null
  /** Null: the connection's whole scope. */
  scope: string[] | null
  now: number
  access: StoredSecret
  /** Its generation is the presented one plus 1. */
  refresh: StoredSecret
  /** The new pair, sealed for whoever holds the old token; null when repeats are not answered. */
  sealed: string | null
  graceSeconds: number
}

/** `raced`: presented again within the race window; `reused`: later, which has revoked the connection (DESIGN §5.4). */
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
 * What lives of connections: codes, tokens, selections, MCP sessions. A connection without grant here is over.
 * Each method is one atomic step.
 */
export interface GrantStore {
  /** A connection begins, with a code that waits to be redeemed and `grant.chosenSafeId` selected. */
  beginWithCode(connectionId: string, grant: Grant, code: NewCode, now: number): Promise<void>
  /** A connection begins and ends with one access token, which nothing renews. */
  beginWithToken(connectionId: string, grant: Grant, access: StoredSecret, now: number): Promise<void>
  /** Checks and uses a code; the new tokens are stored only when the outcome is `redeemed`. */
  redeem(redemption: Redemption): Promise<RedeemOutcome>
  /** Checks and replaces a refresh token; the new pair is stored only when the outcome is `rotated`. */
  rotate(rotation: Rotation): Promise<RotateOutcome>
  find(connectionId: string): Promise<Grant | null>
  /** Those of the connections whose code, refresh token or directly issued token has not run out at `now`. */
  findActive(connectionIds: readonly string[], now: number): Promise<Set<string>>
  /** Ends the connection: none of its codes, tokens and sessions works from now on. */
  revoke(connectionId: string): Promise<void>
  /** As `revoke`, of at most `CONNECTION_BATCH_SIZE`. Not one atomic step: again, it does what is left. */
  revokeAll(connectionIds: readonly string[]): Promise<void>
  revokeAccessToken(connectionId: string, tokenHash: string): Promise<void>

  /** All an MCP request needs, in one round trip. Null when the token is unknown, expired or revoked at `now`. */
  findAccess(
    connectionId: string,
    tokenHash: string,
    sessionHash: string | null,
    now: number,
  ): Promise<FoundAccess | null>
  /** When there are `SESSIONS_PER_CONNECTION`, the one opened or selected in longest ago goes. */
  openSession(
    connectionId: string,
    session: StoredSecret & Omit<McpSession, 'id'>,
    now: number,
  ): Promise<void>
  endSession(connectionId: string, sessionHash: string): Promise<void>
  /** Selects for the connection and, if it still exists, for the session, whose life it prolongs. */
  select(connectionId: string, safeId: string, session: StoredSecret | null, now: number): Promise<void>
}

/** Some clients open a session for every call and end none. */
export const SESSIONS_PER_CONNECTION = 100

/** Within this time a repeated code or refresh token is taken for a race of its client's own processes. */
export const RACE_WINDOW_MS = 10_000
