import type { Resource } from './access.js'

/** A valid request to `/oauth/authorize` that waits for its user's decision. */
export interface AuthorizationRequest {
  clientId: string
  clientName: string
  clientVerified: boolean
  redirectUri: string
  /** As it stood in the query, percent-encoding included, so that it goes back byte for byte; null: none sent. */
  state: string | null
  codeChallenge: string
  /** What was asked for; the user may grant less. */
  scope: string[]
  resource: Resource
  resourceSent: boolean
  /** Hash of the browser's cookie: only the browser that came with it may decide it (RULES C3). */
  browser: string
  expiresAt: number
}
