import { createHash } from 'node:crypto'
import { isDocumentId } from './client.js'
import { isLoopback } from './redirect-uri.js'

/** What identifies the app of a connection. */
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
 * The key that groups the connections of one app at one endpoint. An app that registers again has a
 * new client id, so it is identified by its name and the target of its codes: another app with the same name differs in the latter (ADR 46).
 */
export function appOf({ clientId, clientName, redirectUri, resource }: AppIdentity): string {
  const app = isDocumentId(clientId) ? clientId : `${destination(redirectUri)} ${clientName}`
  const key = `${resource} ${app}`
  return key.length <= MAX_LENGTH ? key : createHash('sha256').update(key).digest('base64url')
}

/** An app on the user's computer uses another port each time (RFC 8252 §7.3). */
const destination = (uri: string) =>
  isLoopback(uri) ? uri.replace(/^http:\/\/(?:\[::1\]|[^:/?#]*)(?::\d+)?/, 'http://loopback') : uri
