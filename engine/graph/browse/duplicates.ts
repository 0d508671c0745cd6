import { stringAt } from '../collections/strings.js'
import type { Likeness } from '../duplicates/alike.js'
import { findDuplicates } from '../duplicates/find-duplicates.js'
import type { SafeIndex } from '../index/safe-index.js'
import { Keys, type ThingRow, thingRow } from './things.js'

export interface DuplicatesQuery {
  /** Pairs of keys that are not the same, the lower one first. */
  apart: readonly (readonly [string, string])[]
  limit: number
}

/** Two entities that may be one. */
export interface PossibleDuplicate {
  /** The one with more relations. */
  one: ThingRow
  other: ThingRow
  how: Likeness
  /** Keys of some entities to which both are related, and how many there are. */
  common: string[]
  commonCount: number
}

/** Entities to which both are related that are named. */
const COMMON = 5

/** The likeliest duplicates, and the import that names each of their entities. May take seconds: for a thread. */
export async function duplicates(
  index: SafeIndex,
  { apart, limit }: DuplicatesQuery,
): Promise<{ found: PossibleDuplicate[]; naming: Map<string, number> }> {
  const known = new Set(apart.map(pair => JSON.stringify(pair)))
  const keyOf = (entity: number) => stringAt(index.entities, entity)
  const isApart = (one: number, other: number) =>
    known.size > 0 && known.has(JSON.stringify([keyOf(one), keyOf(other)].sort()))
  const pairs = await findDuplicates(index, limit, isApart)
  const keys = new Keys(index)
  const found = pairs.map(({ one, other, how, common }) => ({
    one: thingRow(index, keys, one),
    other: thingRow(index, keys, other),
    how,
    common: common.slice(0, COMMON).map(entity => keys.of(entity)),
    commonCount: common.length,
  }))
  return { found, naming: keys.naming }
}
