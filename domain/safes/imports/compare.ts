import { type EntityRow, normalizeName, Pause, type RelationRow } from '../../../engine/graph/index.js'
import { Part } from '../../part.js'
import type { Shared } from '../dependencies.js'
import { safeErrors } from '../errors.js'
import { EntityOrigins } from '../exports/entity-origins.js'
import { HashSet } from '../hash-tables.js'
import type { Comparison, Counts, DocumentChanges } from '../safe.js'
import { rowsOf } from '../safe.js'
import type { CommittedImports, ImportRange } from '../stores/types.js'

type CompareDependencies = Pick<Shared, 'contents' | 'documents'>

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

interface Compared extends CompareDependencies {
  safeId: string
  staged: { id: number; counts: Counts }
  committed: CommittedImports
  signal: AbortSignal
}

class ComparisonRun extends Part<Compared> {
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
    for await (const page of this.dependencies.documents.compared(
      this.dependencies.safeId,
      this.dependencies.staged.id,
    )) {
      for (const change of page) this.#result.documents[change]++
      await this.#letOthers()
    }
  }

  async #readSafe(): Promise<void> {
    const { ranges } = this.dependencies.committed
    const { entities, relations } = this.dependencies.contents.source(this.dependencies.safeId, ranges)
    for await (const page of entities()) {
      for (const row of page) {
        this.#origins.add(row)
        await this.#letOthers()
      }
    }
    for await (const page of relations()) {
      for (const row of page) {
        this.#statements.add(...statementOf(row))
        await this.#letOthers()
      }
    }
    for (const range of ranges) {
      for await (const page of this.dependencies.contents.fullPassages(this.dependencies.safeId, range)) {
        for (const { entityKey, title, text, source, seq, time } of page) {
          this.#statements.add('passage', entityKey, title, text, source, seq, time)
          await this.#letOthers()
        }
      }
    }
  }

  async #relations(): Promise<void> {
    for await (const page of this.#source().relations()) {
      for (const row of page) {
        const { subjectKey, predicate, objectKey } = row
        const kind = this.#count('relations', statementOf(row))
        if (this.#wants(kind)) {
          const [subject, object] = [await this.#nameOf(subjectKey), await this.#nameOf(objectKey)]
          this.#addExample(kind, `${subject} — ${predicate} → ${object}`)
        }
        if (this.#isDone) return
        await this.#letOthers()
      }
    }
  }

  async #passages(): Promise<void> {
    if (this.#isDone) return
    for await (const page of this.dependencies.contents.fullPassages(this.dependencies.safeId, this.#range)) {
      for (const { entityKey, title, text, source, seq, time } of page) {
        const kind = this.#count('passages', ['passage', entityKey, title, text, source, seq, time])
        if (this.#wants(kind)) this.#addExample(kind, `${title}: ${text}`)
        if (this.#isDone) return
        await this.#letOthers()
      }
    }
  }

  async #entities(): Promise<void> {
    if (this.#isDone) return
    for await (const page of this.#source().entities()) {
      for (let at = 0; at < page.length; at += LOOKUP) {
        await this.#compareEntities(page.slice(at, at + LOOKUP))
        if (this.#isDone) return
        await this.#letOthers()
      }
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

  async #letOthers(): Promise<void> {
    if (!this.#pause.due()) return
    if (this.dependencies.signal.aborted) throw safeErrors.stopped()
    await this.#pause.rest()
  }
}

/** The same fact in another period is another statement (ADR 55). */
const statementOf = ({ subjectKey, predicate, objectKey, validFrom = null, validTo = null }: RelationRow) => [
  ...['relation', subjectKey, predicate, objectKey],
  ...[validFrom, validTo],
]
