import type { Statement } from './proposal.js'

/** Statements as a JSONL file (formats/readers/jsonl.ts), one relation a line. */
export function statementFile(statements: readonly Statement[]): Buffer {
  const lines = statements.map(({ subject, predicate, object }) =>
    JSON.stringify({ type: 'relation', from: subject, to: object, relationType: predicate }),
  )
  return Buffer.from(`${lines.join('\n')}\n`)
}
