import { type EntityRow, normalizeName, Pause } from '../../../engine/graph/index.js'
import { Part } from '../../part.js'
import type { SafesShared } from '../dependencies.js'
import { eachRow, inParts } from '../each-row.js'
import { EntityOrigins } from '../exports/entity-origins.js'
import { factOf, HashSet, passageOf } from '../hash-tables.js'
import type { Comparison, Counts, DocumentChanges } from '../safe.js'
import { rowsOf } from '../safe.js'
import type { CommittedImports, ImportRange } from '../stores/types.js'

type CompareDependencies = Pick<SafesShared, 'contents' | 'documents'>

/** Maximum rows of the Safe and the import together. Larger ones are not compared, which bounds memory to about 120 MB. */
const MAX_ROWS = 4_000_000
const EXAMPLES = 5
const EXAMPLE_CHARACTERS = 160
/** Entities looked up at once: few enough that it takes only milliseconds. */
const LOOKUP = 128

/**
 * Compares a staged import with the visible content of its Safe (ADR 31). Reads both once, page by page, with
 * other requests in between. Null if they are too large, or the Safe was removed.
 * @throws DomainError 503 when the service stops
 */
export async function compare(
  dependencies: CompareDependencies,
  safeId: string,
  staged: { id: number; counts: Counts },
  signal: AbortSignal,
): Promise<Comparison | null> {
  const committed = await dependencies.contents.committedImports(safeId)
  if (!committed || rowsOf(committed.counts) + rowsOf(staged.counts) > MAX_ROWS) return null
  return new ComparisonRun({ ...dependencies, safeId, staged, committed, signal }).run()
}

interface ComparisonInput extends CompareDependencies {
  safeId: string
  staged: { id: number; counts: Counts }
  committed: CommittedImports
  signal: AbortSignal
}

class ComparisonRun extends Part<ComparisonInput> {
  readonly #pause = new Pause()
  readonly #statements = new HashSet()
  readonly #origins = new EntityOrigins()
  readonly #result: Comparison & { documents: DocumentChanges } = {
    version: this.dependencies.committed.version,
    added: { entities: 0, relations: 0, passages: 0 },
    there: { entities: 0, relations: 0, passages: 0 },
    conflicts: 0,
    documents: { added: 0, changed: 0, unchanged: 0 },
    examples: { added: [], there: [], conflicts: [] },
  }

  /** Relations come first because they make the best examples. */
  async run(): Promise<Comparison> {
    await this.#documents()
    await this.#readSafe()
    await this.#relations()
    await this.#passages()
    await this.#entities()
    return this.#isEmpty ? { ...this.#result, added: this.dependencies.staged.counts } : this.#result
  }

  /** Everything is new in an empty Safe: then only examples are read. */
  get #isEmpty(): boolean {
    return rowsOf(this.dependencies.committed.counts) === 0
  }

  get #isDone(): boolean {
    return this.#isEmpty && this.#result.examples.added.length === EXAMPLES
  }

  /** By path and content, also in an empty Safe, which may still have documents without rows. */
  async #documents(): Promise<void> {
    const { documents, safeId, staged } = this.dependencies
    for await (const change of this.#rows(documents.compared(safeId, staged.id)))
      this.#result.documents[change]++
  }

  async #readSafe(): Promise<void> {
    const { contents, safeId, committed } = this.dependencies
    const { entities, relations } = contents.source(safeId, committed.ranges)
    for await (const row of this.#rows(entities())) this.#origins.add(row)
    for await (const row of this.#rows(relations())) this.#statements.add(...factOf(row))
    for (const range of committed.ranges)
      for await (const row of this.#rows(contents.fullPassages(safeId, range)))
        this.#statements.add(...passageOf(row))
  }

  async #relations(): Promise<void> {
    for await (const row of this.#rows(this.#source().relations())) {
      const kind = this.#count('relations', factOf(row))
      if (this.#wants(kind)) {
        const [subject, object] = [await this.#nameOf(row.subjectKey), await this.#nameOf(row.objectKey)]
        this.#addExample(kind, `${subject} — ${row.predicate} → ${object}`)
      }
      if (this.#isDone) return
    }
  }

  async #passages(): Promise<void> {
    if (this.#isDone) return
    const { contents, safeId } = this.dependencies
    for await (const row of this.#rows(contents.fullPassages(safeId, this.#range))) {
      const kind = this.#count('passages', passageOf(row))
      if (this.#wants(kind)) this.#addExample(kind, `${row.title}: ${row.text}`)
      if (this.#isDone) return
    }
  }

  async #entities(): Promise<void> {
    if (this.#isDone) return
    for await (const page of this.#rows(inParts(this.#source().entities(), LOOKUP))) {
      await this.#compareEntities(page)
      if (this.#isDone) return
    }
  }

  /** An entity conflicts if it has another type in the Safe, which keeps its type. */
  async #compareEntities(rows: readonly EntityRow[]): Promise<void> {
    const typed = rows.flatMap(({ key, type }) => {
      const importId = type === null ? 0 : (this.#origins.of(key)?.type ?? 0)
      return importId === 0 ? [] : [{ importId, key }]
    })
    const known = await this.dependencies.contents.entities(this.dependencies.safeId, typed)
    const typeOf = new Map(known.map(({ key, type }) => [key, type]))
    for (const { key, name, type } of rows) {
      const now = typeOf.get(key) ?? null
      if (type !== null && now !== null && normalizeName(type) !== normalizeName(now)) {
        this.#result.conflicts++
        if (this.#wants('conflicts'))
          this.#addExample('conflicts', `${name}: “${now}” in the Safe, “${type}” in the file`)
        continue
      }
      const kind = this.#origins.of(key) ? 'there' : 'added'
      this.#result[kind].entities++
      if (this.#wants(kind)) this.#addExample(kind, type === null ? name : `${name} (${type})`)
    }
  }

  #count(what: 'relations' | 'passages', statement: (string | number | null)[]): 'added' | 'there' {
    const kind = this.#statements.add(...statement) ? 'added' : 'there'
    this.#result[kind][what]++
    return kind
  }

  #wants(kind: keyof Comparison['examples']): boolean {
    return this.#result.examples[kind].length < EXAMPLES
  }

  #addExample(kind: keyof Comparison['examples'], text: string): void {
    // Whole characters: a text must not be cut inside a surrogate pair.
    const line = Array.from(text.slice(0, 2 * EXAMPLE_CHARACTERS).replace(/[\s\p{Cc}]+/gu, ' '))
    const shown = line.slice(0, EXAMPLE_CHARACTERS).join('')
    this.#result.examples[kind].push(line.length > EXAMPLE_CHARACTERS ? `${shown}…` : shown)
  }

  async #nameOf(key: string): Promise<string> {
    const [row] = await this.dependencies.contents.entities(this.dependencies.safeId, [
      { importId: this.dependencies.staged.id, key },
    ])
    return row?.name ?? key
  }

  get #range(): ImportRange {
    return [this.dependencies.staged.id, this.dependencies.staged.id]
  }

  #source() {
    return this.dependencies.contents.source(this.dependencies.safeId, [this.#range])
  }

  #rows<Row>(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
    return eachRow(pages, this.#pause, this.dependencies.signal)
  }
}
