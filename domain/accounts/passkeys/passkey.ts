/** A public key with which an account signs in. */
export interface Passkey {
  /** The credential id, base64url. */
  id: string
  accountId: string
  name: string
  /** COSE key, base64url. */
  publicKey: string
  /** The signature counter of the authenticator; 0: it has none. */
  counter: number
  createdAt: number
  lastUsedAt: number | null
}
