import type { Resource } from '../domain/oauth/connections/access.js'
import { WRITE } from '../domain/oauth/scope.js'
import type { Config } from '../plugins/config.js'
import { consentTexts } from '../views/texts/consent.js'

/** What a scope allows on this service, in plain words (RULES C7). */
export function describeScope(
  name: string,
  resource: Resource,
  { hasProposals }: Pick<Config, 'hasProposals'>,
): string {
  const { scopes, propose, fill } = consentTexts
  if (name === WRITE && resource === 'api') return fill
  return name === WRITE && hasProposals ? propose : (scopes[name] ?? name)
}
