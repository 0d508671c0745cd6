import { createHash } from 'node:crypto'
import { isDocumentId } from './client.js'
import { isLoopback } from './redirect-uri.js'

/** What says which app a connection is of. */
export interface AppIdentity {
  clientId: string
  clientName: string
  redirectUri: string
  /** The endpoint. */
  resource: string
}

/** Longer names are hashed, because they are part of an index. */
const MAX_LENGTH = 500

/**
 * The name under which the connections of one app at one endpoint are kept together. An app that registers again has a
 * new client id, so it is known by its name and by where its codes go: whoever borrows the name alone is another app (ADR 46).
 */
export function appOf({ clientId, clientName, redirectUri, resource }: AppIdentity): string {
  const app = isDocumentId(clientId) ? clientId : `${destination(redirectUri)} ${clientName}`
  const key = `${resource} ${app}`
  return key.length <= MAX_LENGTH ? key : createHash('sha256').update(key).digest('base64url')
}

/** An app on the user's computer takes another port each time (RFC 8252 §7.3). */
const destination = (uri: string) =>
  isLoopback(uri) ? uri.replace(/^http:\/\/(?:\[::1\]|[^:/?#]*)(?::\d+)?/, 'http://loopback') : uri
