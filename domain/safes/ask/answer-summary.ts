import {
  type EntitySummary,
  type OverviewSummary,
  renamed,
  type Summary,
} from '../../../engine/graph/index.js'
import type { Outline } from '../documents/outline.js'

/** A summary as answers contain it: the names are names, not keys, and JSON members are in snake case. */
export type AnswerSummary =
  | Exclude<Summary, EntitySummary | OverviewSummary>
  | AnswerEntitySummary
  | AnswerOverview

/** With the folders and tags of its documents, if there are any. */
export type AnswerOverview = OverviewSummary & Partial<Outline>

export interface AnswerEntitySummary extends Omit<EntitySummary, 'moreRelations'> {
  /** Kinds of relations missing from the list. */
  more_relations: number
}

/** Converts the summary of a ranking. `nameOf` returns the name of the entity with a key. */
export function answerSummary(
  summary: Summary,
  nameOf: (key: string) => string,
  outline: Outline | null = null,
): AnswerSummary {
  const named = renamed(summary, nameOf)
  if (named.kind === 'overview' && outline) {
    const { folders, tags } = outline
    return { ...named, ...(folders.length > 0 && { folders }), ...(tags.length > 0 && { tags }) }
  }
  if (named.kind !== 'entity') return named
  const { moreRelations, ...rest } = named
  return { ...rest, more_relations: moreRelations }
}
