import { hashSecret } from '../../platform/common/secrets.js'
import type { Statement } from './proposal.js'

/** Identifies what statements say, whatever their order: repeated calls of an assistant are one proposal. */
export function contentHash(statements: readonly Statement[]): string {
  const texts = statements.map(({ subject, predicate, object }) =>
    JSON.stringify([subject, predicate, object].map(text => text.trim().toLowerCase())),
  )
  return hashSecret([...new Set(texts)].sort().join('\n'))
}
