import { messages } from '../messages.js'
import { WRITE } from '../oauth/scope.js'
import type { Config } from '../plugins/config.js'

/** What a scope allows on this service, in plain words (RULES C7). */
export function describeScope(name: string, { hasProposals }: Pick<Config, 'hasProposals'>): string {
  const { scopes, propose } = messages.consent
  return name === WRITE && hasProposals ? propose : (scopes[name] ?? name)
}
