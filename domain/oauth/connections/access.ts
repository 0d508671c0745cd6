import type { Standing } from '../clients/app-trust.js'
import { WRITE } from '../scope.js'
import type { ConnectionChoice } from './choice.js'

/**
 * `user` is the user-scoped MCP endpoint; `safe:<id>` is pinned to one Safe (DESIGN §5.2). `api` is the HTTP API
 * (ADR 57).
 */
export type Resource = 'user' | 'api' | `safe:${string}`

/** The Safe that a resource is pinned to, or null. */
export const safeIdOf = (resource: Resource) =>
  resource.startsWith('safe:') ? resource.slice('safe:'.length) : null

/** Powers besides reading. The user can grant and revoke them at any time, in any scope (RULES R5, R6). */
export interface Powers {
  /** Its assistant may propose changes. Absent in grants of earlier versions, where the scope decides. */
  mayPropose?: boolean
  /** It is offered `search` and `fetch`. */
  hasSearch?: boolean
}

/** What the user approved. Created on approval; afterwards its scope and Safes can only be narrowed (`narrow.ts`). */
export interface Grant extends Powers {
  accountId: string
  clientId: string
  /** Granted scopes, e.g. `['vault:read']`. */
  scope: string[]
  /** Scopes that the user has withdrawn. A refresh may still ask for them, but does not get them. */
  withdrawnScope?: string[]
  resource: Resource
  /** False if the client sent no `resource` (old clients). */
  resourceSent: boolean
  /** The Safes chosen on the consent page, at most `MAX_CHOSEN_SAFES` (`choice.ts`). A single one is active at the start. */
  chosenSafeIds: string[]
  /** "Only these Safes": the connection may read the chosen Safes only. */
  onlyChosenSafe: boolean
}

/** Whether a grant includes proposals. In grants of earlier versions the scope decides. */
export const mayPropose = ({ mayPropose, scope }: Pick<Grant, 'mayPropose' | 'scope'>): boolean =>
  mayPropose ?? scope.includes(WRITE)

/** The powers of a connection besides reading, all of them set. */
export const powersOf = (grant: Grant): Required<Powers> => ({
  mayPropose: grant.resource !== 'api' && mayPropose(grant),
  hasSearch: grant.hasSearch === true,
})

export interface McpSession {
  id: string
  /** MCP revision negotiated at `initialize`. */
  protocolVersion: string
  /** The session's own selection, or null. */
  selectedSafeId: string | null
  /** Its client shows pages of a server next to answers (MCP Apps), as declared at `initialize`. */
  showsApps: boolean
}

/** The grant and state behind a valid access token, read in one round trip per MCP request (DESIGN §6). */
export interface Access extends Grant {
  connectionId: string
  /** Scope of this token; may be narrower than that of the grant. */
  tokenScope: string[]
  /** The connection's latest selection, or null. */
  selectedSafeId: string | null
  /** The session named by `Mcp-Session-Id`, if it exists and belongs to this connection. */
  session: McpSession | null
}

/** The only Safes this connection may read, or null if it may read all Safes of its account. */
export function allowedSafes(
  grant: Pick<Grant, 'resource' | 'chosenSafeIds' | 'onlyChosenSafe'>,
): readonly string[] | null {
  const pinned = safeIdOf(grant.resource)
  if (pinned !== null) return [pinned]
  return grant.onlyChosenSafe ? grant.chosenSafeIds : null
}

/** The Safe that is active at the start, or null. With several, the assistant chooses. */
export function startingSafe({ chosenSafeIds }: Pick<Grant, 'chosenSafeIds'>): string | null {
  const [first, ...others] = chosenSafeIds
  return first !== undefined && others.length === 0 ? first : null
}

/** A connection as its user sees it, even after it has ended. */
export interface Connection extends Required<Powers> {
  id: string
  accountId: string
  clientId: string
  clientName: string
  standing: Standing
  redirectHost: string
  scope: string[]
  resource: Resource
  chosenSafeIds: string[]
  onlyChosenSafe: boolean
  createdAt: number
  lastUsedAt: number | null
  calls: number
  revokedAt: number | null
  /** A sentence for the user, or null. */
  revokedReason: string | null
  /** Whether the text of its questions is stored in the activity. */
  keepsQuestions: boolean
  /** Its app (`clients/app.ts`). Null for a script, and in rows that an earlier version wrote. */
  app: string | null
}

/** `ended` means revoked or expired. `revokedAt` of an expired connection is null until the daily sweep. */
export type ListedConnection = Connection & { ended: boolean }

/** The connections of one app as one row: the newest that works, with the combined properties of all of them. */
export interface AppRow extends ListedConnection {
  /** The start of the next page of the list. */
  cursor: string
  /** The number of its other connections that work. */
  others: number
  /** Whether the other ones may read other Safes. */
  othersDiffer: boolean
}

/** A user's earlier choice for an app. */
export interface EarlierChoice extends ConnectionChoice {
  keepsQuestions: boolean
  /** The time of its approval. */
  at: number
}

/** A page of the connections of an account. */
export interface ConnectionPage {
  /** Only connections that have not been ended (though they may have expired), or only ended ones. Default: both. */
  kind?: 'open' | 'ended'
  /** Start after this connection id. */
  after?: string
  limit?: number
  /** One per app: the newest that is open or, for ended ones, the last that ended if none is open. */
  newestOfApp?: boolean
}
