/** The identity at the OpenID provider, as far as the service uses it. */
export interface OpenIdIdentity {
  issuer: string
  /** Never reassigned by the issuer (OpenID Connect Core §5.7), unlike an e-mail address. */
  subject: string
  /** Lower-cased. Null unless the provider has verified the address. */
  email: string | null
  groups: readonly string[]
}

export type IdentityKey = Pick<OpenIdIdentity, 'issuer' | 'subject'>

/** Who may sign in through the provider. An empty list allows everybody. */
export interface ProviderRules {
  /** Domains of verified e-mail addresses, lower-cased. */
  domains: readonly string[]
  groups: readonly string[]
}

/**
 * Reads the claims of an ID token and of the UserInfo endpoint (OpenID Connect Core §5.1), the first source first. An
 * address and whether it is verified come from the same source: from two, a claim about one address would verify another.
 */
export function identityOf(
  issuer: string,
  subject: string,
  sources: readonly Record<string, unknown>[],
): OpenIdIdentity {
  const { email, email_verified: isVerified } = sources.find(claims => 'email' in claims) ?? {}
  const groups = sources.find(claims => 'groups' in claims)?.groups
  return {
    issuer,
    subject,
    email: isVerified === true && typeof email === 'string' ? email.trim().toLowerCase() : null,
    groups: Array.isArray(groups) ? groups.filter(group => typeof group === 'string') : [],
  }
}

/** Whether the provider's identity has one of the allowed domains and groups. An empty list allows all. */
export function isAllowed({ email, groups }: OpenIdIdentity, rules: ProviderRules): boolean {
  const domain = email?.slice(email.lastIndexOf('@') + 1) ?? ''
  return (
    (rules.domains.length === 0 || rules.domains.includes(domain)) &&
    (rules.groups.length === 0 || rules.groups.some(group => groups.includes(group)))
  )
}
