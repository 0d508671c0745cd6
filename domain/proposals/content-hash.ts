import { hashSecret } from '../../platform/common/secrets.js'
import type { ProposedText, Statement } from './proposal.js'

/** Identifies what statements and texts say, whatever their order: repeated calls of an assistant are one proposal. */
export function contentHash(statements: readonly Statement[], texts: readonly ProposedText[]): string {
  const facts = statements.map(({ subject, predicate, object }) =>
    JSON.stringify([subject, predicate, object].map(text => text.trim().toLowerCase())),
  )
  return hashSecret([...new Set([...facts, ...texts.map(text => JSON.stringify(text))])].sort().join('\n'))
}
