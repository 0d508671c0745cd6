import type { NewRelation, RowBatch } from '../stores/types.js'

/** A separator that records never contain (`engine/formats/shared/record.ts`). */
const SEPARATOR = '\0'

/** The tables with many rows per file. */
type Packed = 'entities' | 'aliases' | 'passages' | 'relations'

/**
 * Rows on their way from the process that reads them, with all their texts joined. As objects, which repeat the names of their
 * members, they take both processes three times as long.
 */
export interface PackedRows {
  /** Of entities, aliases, passages and relations, one row after the other. Empty means null. */
  texts: string
  /** Number of rows of each kind. */
  counts: readonly [entities: number, aliases: number, passages: number, relations: number]
  /** For entities: whether they are named; for passages: id, seq, time, document and line; for relations: id. */
  numbers: (number | null)[]
  /** Relations with dates, by position. */
  dated: (Pick<NewRelation, 'validFrom' | 'validTo' | 'learnedOn'> & { at: number })[]
  others: Omit<RowBatch, Packed>
}

/** Packs rows for sending. */
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

/** The packed rows. */
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

/** Returns the texts one after the other. */
function itemsOf<Item>(items: readonly Item[], none: Item): () => Item {
  let at = 0
  return () => items[at++] ?? none
}
