import { type EntitySummary, renamed, type Summary } from '../../graph/retrieval/summary.js'

/** A summary as answers contain it: the names are names, not keys, and JSON members are in snake case. */
export type AnswerSummary = Exclude<Summary, EntitySummary> | AnswerEntitySummary

export interface AnswerEntitySummary extends Omit<EntitySummary, 'moreRelations'> {
  /** Kinds of relations missing from the list. */
  more_relations: number
}

/** Converts the summary of a ranking. `nameOf` returns the name of the entity with a key. */
export function answerSummary(summary: Summary, nameOf: (key: string) => string): AnswerSummary {
  const named = renamed(summary, nameOf)
  if (named.kind !== 'entity') return named
  const { moreRelations, ...rest } = named
  return { ...rest, more_relations: moreRelations }
}
