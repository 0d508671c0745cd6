import { isDocumentId } from './client.js'
import { isKnownCallback } from './redirect-uri.js'

/**
 * The trust level of an app: its publisher is known (`verified`), its codes go to an assistant's own address (`known`), or
 * neither, because any program can use its name.
 */
export const STANDINGS = ['unverified', 'verified', 'known'] as const

export type Standing = (typeof STANDINGS)[number]

interface Asking {
  clientId: string
  clientVerified: boolean
  redirectUri: string
}

/** The label on pages of an app that asks for access, and of its connection. Any program can listen on a user's computer. */
export function standingOf(
  { clientId, clientVerified, redirectUri }: Asking,
  knownCallbacks: readonly string[],
): Standing {
  if (clientVerified) return 'verified'
  const isKnown = redirectUri.startsWith('https:') && isKnownCallback(redirectUri, knownCallbacks)
  return isKnown && !isDocumentId(clientId) ? 'known' : 'unverified'
}
