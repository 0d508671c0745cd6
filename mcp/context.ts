import type { Activity } from '../domain/activity/activity.js'
import type { Access } from '../domain/oauth/connections/access.js'
import type { McpSessions } from '../domain/oauth/connections/mcp-session.js'
import type { Proposals } from '../domain/proposals/proposals.js'
import type { Safes } from '../domain/safes/safes.js'

/** Everything a handler knows about the caller of a request. */
export interface RequestContext {
  access: Access
  /** The only Safes that this connection may read through this endpoint, or null if it may read all. */
  allowedSafeIds: readonly string[] | null
  /** MCP revision of this request. */
  revision: string
  /** Its client shows pages of a server next to answers (MCP Apps; RULES N14). */
  showsApps: boolean
  meter: Meter
  /** Aborts when the client cancels the request by hanging up (MCP 2026-07-28 only). */
  signal?: AbortSignal
}

/** Charges work to the caller's rate limit as it happens. */
export interface Meter {
  /** Charges the requests of a batch after the first, before they are processed. */
  calls(count: number): void
  /** Charges milliseconds of processing time on this thread. */
  work(ms: number): void
}

/** The services that tools use. */
export interface Domain {
  safes: Safes
  sessions: McpSessions
  activity: Pick<Activity, 'record'>
  /** Only on a service where people may allow proposals. */
  proposals?: Pick<Proposals, 'propose'>
}
