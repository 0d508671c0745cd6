import { createHash } from 'node:crypto'
import {
  type GraphSource,
  normalizeName,
  type RelationRow,
  spacedPredicate,
} from '../../../engine/graph/index.js'

/** A removed fact, by the keys of everything merged with its ends. */
interface FactKeys {
  subjects: string[]
  predicate: string
  objects: string[]
}

/** A removed passage: the thing it is about, and the SHA-256 of its text. */
interface PassageKeys {
  entity: string
  textHash: string
}

/** The parts shown of a removed fact (subject, predicate, object) or passage (title, beginning). */
export type RemovedStatement = { id: string; shown: string[]; removedAt: number } & (
  | { kind: 'fact'; keys: FactKeys }
  | { kind: 'passage'; keys: PassageKeys }
)

/** SHA-256 of a text, base64url. */
export const hashOfText = (text: string) => createHash('sha256').update(text).digest('base64url')

/** As the index reads a predicate. */
export const foldedPredicate = (predicate: string) => normalizeName(spacedPredicate(predicate))

/** The facts and passages that were removed from a Safe. */
export class Removed {
  /** Differs if they do. */
  readonly version: string
  readonly statements: readonly RemovedStatement[]
  readonly #facts = new Set<string>()
  readonly #passages = new Map<string, Set<string>>()
  /** Predicates in their original spelling, and in that of the index. */
  readonly #folded = new Map<string, string>()

  constructor(statements: readonly RemovedStatement[]) {
    this.statements = statements
    this.version = hashOfText(statements.map(({ id }) => id).join(' '))
    for (const { kind, keys } of statements)
      if (kind === 'fact') this.#addFact(keys)
      else this.#passages.set(keys.entity, (this.#passages.get(keys.entity) ?? new Set()).add(keys.textHash))
  }

  get isEmpty(): boolean {
    return this.statements.length === 0
  }

  hasFact({
    subjectKey,
    predicate,
    objectKey,
  }: Pick<RelationRow, 'subjectKey' | 'predicate' | 'objectKey'>): boolean {
    if (this.#facts.size === 0) return false
    let folded = this.#folded.get(predicate)
    if (folded === undefined) {
      folded = foldedPredicate(predicate)
      if (this.#folded.size < MAX_FOLDED) this.#folded.set(predicate, folded)
    }
    return this.#facts.has(keyOf(subjectKey, folded, objectKey))
  }

  hasPassage({ entityKey, text }: { entityKey: string; text: string }): boolean {
    const hashes = this.#passages.get(entityKey)
    return hashes?.has(hashOfText(text)) ?? false
  }

  #addFact({ subjects, predicate, objects }: FactKeys): void {
    for (const subject of subjects)
      for (const object of objects) this.#facts.add(keyOf(subject, predicate, object))
  }
}

/** Predicates remembered as the index reads them. */
const MAX_FOLDED = 10_000

const keyOf = (...parts: string[]) => parts.join('\0')

/** The same rows without removed ones. */
export function withoutRemoved(source: GraphSource, read: () => Promise<Removed>): GraphSource {
  let removed: Promise<Removed> | undefined
  const now = () => {
    removed ??= read()
    return removed
  }
  return {
    ...source,
    relations: () => filtered(source.relations(), now, (one, row) => one.hasFact(row)),
    passages: () => filtered(source.passages(), now, (one, row) => one.hasPassage(row)),
  }
}

/** Pages without the rows that were removed. */
export async function* filtered<Row>(
  pages: AsyncIterable<Row[]>,
  read: () => Promise<Removed>,
  isRemoved: (removed: Removed, row: Row) => boolean,
): AsyncGenerator<Row[]> {
  const removed = await read()
  for await (const page of pages) yield removed.isEmpty ? page : page.filter(row => !isRemoved(removed, row))
}
