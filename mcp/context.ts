import type { Access, McpSessions } from '../oauth/connections/access.js'
import type { Safes } from '../safes/safe.js'

/** Who asks, as what, in which revision: travels beside each request and is all a handler knows of it. */
export interface RequestContext {
  access: Access
  /** The one Safe that may be read through this endpoint with this connection, or null when all may. */
  onlySafeId: string | null
  /** MCP revision of this request. */
  revision: string
  meter: Meter
}

/** Who asks pays for what is done, as it is done. */
export interface Meter {
  /** Requests of a batch besides the first, before they are answered. */
  calls(count: number): void
  /** Milliseconds of this thread that one request took. */
  work(ms: number): void
}

/** What the tools work with. */
export interface Domain {
  safes: Safes
  sessions: McpSessions
}
