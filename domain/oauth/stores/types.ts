import type { Grant, McpSession, Resource } from '../connections/access.js'

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
  /** Marks a request as decided until `expiresAt`. Returns true only for the first attempt, also if that is repeated. */
  decide(id: string, attempt: string, expiresAt: number): Promise<boolean>
  /** Reverts the decision of this attempt. */
  release(id: string, attempt: string): Promise<void>
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

/** The period in which a consumed, unsettled code or refresh token may be presented again, counted from its use. */
export interface RepeatWindow {
  fromMs: number
  untilMs: number
}

/** The tokens issued for a code or refresh token: the hash and generation of the refresh token. */
export interface Issued {
  connectionId: string
  refreshHash: string
  generation: number
}

/** The seed to derive the tokens again that were issued for a code or refresh token (`pairFor`). */
export interface Repeated {
  outcome: 'repeated'
  grant: Grant
  seed: string
  /** Of the access token. */
  scope: string[]
  issuedAt: number
}

/** An attempt to exchange a code for tokens. `challenge` is computed from the presented verifier. */
export interface Redemption {
  connectionId: string
  codeHash: string
  clientId: string
  /** Null if the request has none. */
  redirectUri: string | null
  challenge: string
  /** Null if the request has none; the resource of the grant then applies. */
  resource: Resource | null
  now: number
  access: StoredSecret
  refresh: StoredSecret
  /** Both tokens are derived from this and the code. */
  seed: string
  repeat: RepeatWindow
}

/**
 * `used`: repeated within the race window; `replayed`: repeated later, which revoked the connection (RULES
 * T12).
 */
export type RedeemOutcome =
  | { outcome: 'redeemed'; grant: Grant }
  | Repeated
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
  /** Both tokens are derived from this and the presented token. */
  seed: string
  repeat: RepeatWindow
}

/**
 * `raced`: reused within the race window; `reused`: reused later, which revoked the connection (DESIGN §5.4).
 */
export type RotateOutcome =
  | { outcome: 'rotated'; grant: Grant }
  | Repeated
  | {
      outcome: 'unknown' | 'expired' | 'other-client' | 'wrong-resource' | 'wrong-scope' | 'raced' | 'reused'
    }

/** A session to open, by the hash of its id. */
export type NewSession = StoredSecret & Omit<McpSession, 'id'>

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
  /** Begins a connection with a code to redeem. Selects its `startingSafe`. */
  beginWithCode(connectionId: string, grant: Grant, code: NewCode, now: number): Promise<void>
  /** Begins a connection with one access token that cannot be refreshed. */
  beginWithToken(connectionId: string, grant: Grant, access: StoredSecret, now: number): Promise<void>
  /** Checks and consumes a code. Stores the new tokens only if the outcome is `redeemed`. */
  redeem(redemption: Redemption): Promise<RedeemOutcome>
  /** Checks and replaces a refresh token. Stores the new pair only if the outcome is `rotated`. */
  rotate(rotation: Rotation): Promise<RotateOutcome>
  /** Deletes the seeds of at most `CONNECTION_BATCH_SIZE` pairs whose code or token can no longer be presented again. */
  settle(issued: readonly Issued[]): Promise<void>
  find(connectionId: string): Promise<Grant | null>
  /**
   * The given connections that have a code, refresh token or directly issued token that has not expired at
   * `now`.
   */
  findActive(connectionIds: readonly string[], now: number): Promise<Set<string>>
  /**
   * Replaces the grant of a connection by `change(grant)`, which may be called again after a conflict. Tokens,
   * sessions and selections stay. Null if the connection has ended.
   * @throws errors of `change`; nothing has changed then
   */
  change(connectionId: string, change: (grant: Grant) => Grant): Promise<Grant | null>
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
  openSession(connectionId: string, session: NewSession, now: number): Promise<void>
  endSession(connectionId: string, sessionHash: string): Promise<void>
  /** Selects a Safe for the connection and, if the session still exists, for the session, and extends the session. */
  select(connectionId: string, safeId: string, session: StoredSecret | null, now: number): Promise<void>
}

/** A limit, because some clients open a session for every call and never end it. */
export const SESSIONS_PER_CONNECTION = 100

/** A code or refresh token repeated within this time is treated as a race between processes of the same client. */
export const RACE_WINDOW_MS = 10_000
