import { normalizeName } from '../../graph/text/text.js'
import { RowCollector } from '../../safes/imports/rows.js'
import { emptyBatch, type RowBatch } from '../../safes/stores/types.js'
import type { Graph } from '../graph/rows.js'
import { edited, seeded } from '../quality/typos.js'
import { wordnetGlosses } from '../wordnet/convert.js'

/** Ways to write a name otherwise; null where a name has no such variant. */
const variants: Record<string, (words: string[], random: () => number) => string | null> = {
  initials: ([first = '', ...others]) => (first.length < 2 ? null : `${first[0]}. ${others.join(' ')}`),
  order: words => `${words.at(-1)}, ${words.slice(0, -1).join(' ')}`,
  middle: ([first, last, ...others]) => (others.length > 0 ? null : `${first} E. ${last}`),
  letters: words => words.join('-').replace('-', ''),
  spelling: (words, random) => {
    const [last = ''] = words.slice(-1)
    return last.length < 6 ? null : [...words.slice(0, -1), edited(last, random)].join(' ')
  },
}

export interface Labelled {
  graph: Graph
  /** The keys of each pair, joined → how it was written and how many neighbours it has in common. */
  pairs: Map<string, { how: string; common: number }>
}

const PAIRS = 2_000
/** Entities that others are related to. */
const PLACES = 500

/**
 * Names of WordNet that begin with a capital and have two or three words, each with five relations; 2,000 of them once more
 * under a perturbed name, which has none to three of these neighbours, and two others.
 */
export async function labelled(): Promise<Labelled> {
  const random = seeded(7)
  const pick = (count: number) => Math.floor(random() * count)
  const names = (await wordnetGlosses())
    .map(({ name }) => name)
    .filter(name => /^\p{Lu}\S+(?: \S{3,}){1,2}$/u.test(name))
  const known = new Set(names.map(normalizeName))
  const collector = new RowCollector()
  const batches: RowBatch[] = []
  let facts = 0
  const relate = (subject: string, place: number) => {
    if (collector.isFull) batches.push(collector.take() ?? empty)
    collector.add({ kind: 'relation', subject, predicate: 'is related to', object: `Place ${place}` })
    facts++
  }
  const pairs: Labelled['pairs'] = new Map()
  const ways = Object.entries(variants)
  for (const [at, name] of names.entries()) {
    const places = Array.from({ length: 5 }, () => pick(PLACES))
    for (const place of places) relate(name, place)
    const [how = '', vary] = ways[at % ways.length] ?? []
    const variant = pairs.size < PAIRS ? vary?.(name.split(' '), random) : null
    if (!variant || known.has(normalizeName(variant))) continue
    known.add(normalizeName(variant))
    const common = Math.floor(at / ways.length) % 4
    for (const place of [...new Set(places)].slice(0, common)) relate(variant, place)
    for (let own = 0; own < 2; own++) relate(variant, pick(PLACES))
    pairs.set(pairOf(normalizeName(name), normalizeName(variant)), { how, common })
  }
  batches.push(collector.take() ?? empty)
  return { graph: { name: `${names.length} names of WordNet`, facts, batches, questions: [] }, pairs }
}

export const pairOf = (one: string, other: string) => [one, other].sort().join('\0')

const empty: RowBatch = emptyBatch()
