/** `user`: the user-scoped endpoint; `safe:<id>`: pinned to that Safe (DESIGN §5.2). */
export type Resource = 'user' | `safe:${string}`

/** What the user approved. Written once, on approval, and never changed. */
export interface Grant {
  accountId: string
  clientId: string
  /** Granted scopes, e.g. `['vault:read']`. */
  scope: string[]
  resource: Resource
  /** False when the client sent no `resource` (old clients). */
  resourceSent: boolean
  /** The Safe chosen on the consent page, or null. */
  chosenSafeId: string | null
  /** "Only this Safe": the chosen Safe is the only one this connection may read. */
  onlyChosenSafe: boolean
}

export interface McpSession {
  id: string
  /** MCP revision negotiated at `initialize`. */
  protocolVersion: string
  /** The session's own selection, or null. */
  selectedSafeId: string | null
}

/** What a valid access token proves; brought by one look-up (DESIGN §6: one round trip per MCP request). */
export interface Access extends Grant {
  connectionId: string
  /** Of this token; may be narrower than the connection's. */
  tokenScope: string[]
  /** The connection's latest selection, or null. */
  selectedSafeId: string | null
  /** The session named by `Mcp-Session-Id`, if it exists and belongs to this connection. */
  session: McpSession | null
}

/** The one Safe this connection may read, or null when it may read all of its account's. */
export function onlySafe(grant: Grant): string | null {
  if (grant.resource !== 'user') return grant.resource.slice('safe:'.length)
  return grant.onlyChosenSafe ? grant.chosenSafeId : null
}

/** What MCP requests ask of the OAuth domain, besides the access itself. */
export interface McpSessions {
  /** Starts a session that begins with the connection's selection. Returns its id (`Mcp-Session-Id`). */
  open(access: Access, protocolVersion: string): Promise<string>
  end(access: Access, sessionId: string): Promise<void>
  /** Sets the selection of the session (if any) and of the connection (DESIGN §5.3). */
  select(access: Access, safeId: string): Promise<void>
}

/** A connection as its user sees it, also after it ended. */
export interface Connection {
  id: string
  accountId: string
  clientId: string
  clientName: string
  clientVerified: boolean
  redirectHost: string
  scope: string[]
  resource: Resource
  chosenSafeId: string | null
  onlyChosenSafe: boolean
  createdAt: number
  lastUsedAt: number | null
  calls: number
  revokedAt: number | null
  /** A sentence for its user, or null. */
  revokedReason: string | null
}

/** `ended`: revoked or expired; until a daily sweep writes down that it expired, `revokedAt` is null. */
export type ListedConnection = Connection & { ended: boolean }

/** Which connections of an account, and how many. */
export interface ConnectionPage {
  /** Only those nobody has ended (though they may have run out), or only those that were ended; else both. */
  kind?: 'open' | 'ended'
  /** Those that follow this one in the list. */
  after?: string
  limit?: number
}

export interface Connections {
  /**
   * Newest first, or of those that were ended the one that ended last; 100 where no other limit is named. With `search`
   * those whose app or host has these letters in it.
   */
  listFor(accountId: string, page?: ConnectionPage & { search?: string }): Promise<ListedConnection[]>
  /** For the operator of the service: it checks no account. */
  find(connectionId: string): Promise<Connection | null>
  /** @throws notFound when it is not this account's */
  revoke(accountId: string, connectionId: string): Promise<void>
  /** Bit by bit, however many there are. */
  revokeAll(accountId: string): Promise<void>
}
