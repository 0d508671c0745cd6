import type { NewRelation, RowBatch } from '../stores/types.js'

/** What a record says contains none (`engine/formats/shared/record.ts`). */
const SEPARATOR = '\0'

/** The tables of which a file has many rows. */
type Packed = 'entities' | 'aliases' | 'passages' | 'relations'

/**
 * Rows on their way from the process that reads them: all their texts as one. As objects, each of which names its
 * members, they take both processes three times as long.
 */
export interface PackedRows {
  /** Of entities, aliases, passages and relations, one row after the other. Empty stands for null. */
  texts: string
  /** How many there are of each. */
  counts: readonly [entities: number, aliases: number, passages: number, relations: number]
  /** Of entities: whether they are named; of passages: id, seq, time, document and line; of relations: id. */
  numbers: (number | null)[]
  /** Relations with dates, by their places. */
  dated: (Pick<NewRelation, 'validFrom' | 'validTo' | 'learnedOn'> & { at: number })[]
  others: Omit<RowBatch, Packed>
}

/** Packs rows to be sent. */
export function packed({ entities, aliases, passages, relations, ...others }: RowBatch): PackedRows {
  const texts: string[] = []
  const numbers: (number | null)[] = []
  const dated: PackedRows['dated'] = []
  for (const { key, name, type, named } of entities) {
    texts.push(key, name, type ?? '')
    numbers.push(Number(named))
  }
  for (const { entityKey, alias } of aliases) texts.push(entityKey, alias)
  for (const { id, entityKey, title, text, source, seq, time, documentId, line } of passages) {
    texts.push(entityKey, title, text, source ?? '')
    numbers.push(id, seq, time, documentId ?? null, line ?? null)
  }
  for (const [at, row] of relations.entries()) {
    const { id, subjectKey, predicate, objectKey, validFrom, validTo, learnedOn } = row
    texts.push(subjectKey, predicate, objectKey)
    numbers.push(id)
    if (validFrom === undefined) continue
    dated.push({ at, validFrom, validTo: validTo ?? null, learnedOn: learnedOn ?? null })
  }
  const counts = [entities.length, aliases.length, passages.length, relations.length] as const
  return { texts: texts.join(SEPARATOR), counts, numbers, dated, others }
}

/** The rows that were packed. */
export function unpacked({ texts, counts, numbers, dated, others }: PackedRows): RowBatch {
  const all = texts.split(SEPARATOR)
  const [text, number] = [itemsOf(all, ''), itemsOf(numbers, null)]
  const [entities, aliases, passages, relations] = counts
  const count = 3 * entities + 2 * aliases + 4 * passages + 3 * relations
  if (all.length !== Math.max(1, count)) throw new Error('A text of a record contains a NUL character.')
  const batch: RowBatch = { ...others, entities: [], aliases: [], passages: [], relations: [] }
  for (let at = 0; at < entities; at++)
    batch.entities.push({ key: text(), name: text(), type: text() || null, named: number() === 1 })
  for (let at = 0; at < aliases; at++) batch.aliases.push({ entityKey: text(), alias: text() })
  for (let at = 0; at < passages; at++) {
    const said = { entityKey: text(), title: text(), text: text(), source: text() || null }
    const places = { id: number() ?? 0, seq: number(), time: number(), documentId: number(), line: number() }
    batch.passages.push({ ...said, ...places })
  }
  for (let at = 0; at < relations; at++)
    batch.relations.push({ id: number() ?? 0, subjectKey: text(), predicate: text(), objectKey: text() })
  for (const { at, ...dates } of dated) Object.assign(batch.relations[at] ?? {}, dates)
  return batch
}

/** Gives one after the other. */
function itemsOf<Item>(items: readonly Item[], none: Item): () => Item {
  let at = 0
  return () => items[at++] ?? none
}
