/** A registered client (RFC 7591). */
export interface Client {
  id: string
  name: string
  redirectUris: string[]
  grantTypes: string[]
  createdAt: number
  lastUsedAt: number | null
}
