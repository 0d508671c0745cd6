import { isTooLong } from '../../engine/formats/index.js'
import type { Statement } from './proposal.js'

/** Statements as a JSONL file (engine/formats/tables/jsonl.ts), one a line: a relation, or a passage about the subject. */
export function statementFile(statements: readonly Statement[]): Buffer {
  const lines = statements.map(statement =>
    JSON.stringify(isPassage(statement) ? passage(statement) : relation(statement)),
  )
  return Buffer.from(`${lines.join('\n')}\n`)
}

/** An object that is longer than a name can be becomes a passage. */
export const isPassage = ({ object }: Statement): boolean => isTooLong(object)

const relation = ({ subject, predicate, object }: Statement) => {
  return { type: 'relation', from: subject, to: object, relationType: predicate }
}

const passage = ({ subject, predicate, object }: Statement) => {
  return { type: 'entity', name: subject, observations: [`${predicate}: ${object}`] }
}
