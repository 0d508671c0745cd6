import { type ExportFormat, exportFormats, type Named, type Statement } from '../../graph/formats/export.js'
import type { EntityRow } from '../../graph/model.js'
import { Pause } from '../../graph/pause.js'
import { normalizeName } from '../../graph/text.js'
import { DomainError, notFound } from '../domain-error.js'
import type { Export } from './safe.js'
import { Seen } from './seen.js'
import type { ContentStore, ExportStore } from './store.js'

interface Parts {
  contents: ContentStore
  exports: ExportStore
}

/** Characters handed on at once. */
const CHUNK = 32_768
/** Rows that one look-up of entities may touch, so that it is over within milliseconds. */
const LOOKUP_ROWS = 256
/** Entities remembered; a hub is named by every one of its relations. */
const REMEMBERED = 20_000

/**
 * The merged view of a Safe's committed imports as a file: what several of them say is said once (GRAPH §1). Its
 * history is not part of it. Nothing is read before the first chunk is asked for, and never more than a page.
 * @throws DomainError 400 when there is no such format
 */
export function exportSafe(
  parts: Parts,
  safeId: string,
  safeName: string,
  formatId: string,
  signal: AbortSignal,
): Export {
  const format = exportFormats.find(({ id }) => id === formatId)
  if (!format) {
    const known = exportFormats.map(({ id }) => id).join(', ')
    throw new DomainError(400, 'unknown_format', `There is no export as “${formatId}”. Formats: ${known}.`)
  }
  return {
    fileName: `${fileNameOf(safeName)}.${format.extension}`,
    contentType: format.contentType,
    chunks: write(parts, safeId, format, signal),
  }
}

async function* write(
  parts: Parts,
  safeId: string,
  format: ExportFormat,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const layers = await parts.contents.layers(safeId)
  if (!layers) throw notFound('Safe')
  const importIds = [...layers.sources.keys()]
  const writer = format.writer()
  const pause = new Pause()
  let chunk = ''
  for await (const statement of new Statements(parts, safeId, importIds, pause).all()) {
    chunk += writer.write(statement)
    if (pause.due()) await pause.rest()
    if (chunk.length < CHUNK) continue
    if (signal.aborted) throw new DomainError(503, 'stopped', 'The service was stopped.')
    yield chunk
    chunk = ''
  }
  // Rows of an import that was undone meanwhile may be missing: better no file than half of one.
  const now = await parts.contents.layers(safeId)
  if (!importIds.every(id => now?.sources.has(id))) {
    throw new DomainError(409, 'changed', 'The Safe has changed while it was read. Please try again.')
  }
  yield chunk + writer.end()
}

/** Reads through the imports of one Safe. */
class Statements {
  readonly #parts: Parts
  readonly #safeId: string
  readonly #importIds: readonly number[]
  readonly #pause: Pause
  readonly #entities = new Map<string, Merged>()
  readonly #seen = new Seen()

  constructor(parts: Parts, safeId: string, importIds: readonly number[], pause: Pause) {
    this.#parts = parts
    this.#pause = pause
    this.#safeId = safeId
    this.#importIds = importIds
  }

  /** Passages come first, each after its entity, because JSONL has them in one line. */
  async *all(): AsyncGenerator<Statement> {
    for (const importId of this.#importIds) yield* this.#passages(importId)
    for (const importId of this.#importIds) yield* this.#otherEntities(importId)
    for (const importId of this.#importIds) yield* this.#aliases(importId)
    for (const importId of this.#importIds) yield* this.#relations(importId)
  }

  async *#passages(importId: number): AsyncGenerator<Statement> {
    for await (const page of this.#parts.exports.passages(this.#safeId, importId)) {
      const entities = await this.#merged(page.map(row => row.entityKey))
      for (const { entityKey, title, text, source, seq, time } of page) {
        if (!this.#seen.add('passage', entityKey, title, text, source, seq, time)) continue
        const entity = entities(entityKey)
        yield* this.#tell(entity)
        yield { kind: 'passage', entity, title, text, source, seq, time }
      }
    }
  }

  async *#otherEntities(importId: number): AsyncGenerator<Statement> {
    for await (const page of this.#source(importId).entities()) {
      const entities = await this.#merged(page.map(row => row.key))
      for (const { key } of page) yield* this.#tell(entities(key))
    }
  }

  async *#aliases(importId: number): AsyncGenerator<Statement> {
    for await (const page of this.#source(importId).aliases()) {
      const entities = await this.#merged(page.map(row => row.entityKey))
      for (const { entityKey, alias } of page) yield* this.#tellAlias(entities(entityKey), alias)
    }
  }

  async *#relations(importId: number): AsyncGenerator<Statement> {
    for await (const page of this.#source(importId).relations()) {
      const entities = await this.#merged(page.flatMap(row => [row.subjectKey, row.objectKey]))
      for (const { subjectKey, predicate, objectKey } of page) {
        if (!this.#seen.add('relation', subjectKey, predicate, objectKey)) continue
        yield { kind: 'relation', subject: entities(subjectKey), predicate, object: entities(objectKey) }
      }
    }
  }

  *#tell(entity: Merged): Generator<Statement> {
    if (!this.#seen.add('entity', entity.key)) return
    yield { kind: 'entity', entity }
    for (const name of entity.furtherNames) yield* this.#tellAlias(entity, name)
  }

  *#tellAlias(entity: Named, alias: string): Generator<Statement> {
    if (this.#seen.add('alias', entity.key, alias)) yield { kind: 'alias', entity, alias }
  }

  #source(importId: number) {
    return this.#parts.contents.source(this.#safeId, [importId])
  }

  /** What all imports together say of these entities. */
  async #merged(keys: string[]): Promise<(key: string) => Merged> {
    // Reading the page was work, too.
    await this.#pause.rest()
    if (this.#entities.size > REMEMBERED) this.#entities.clear()
    const wanted = [...new Set(keys)].filter(key => !this.#entities.has(key))
    const atOnce = Math.max(1, Math.floor(LOOKUP_ROWS / this.#importIds.length))
    for (let at = 0; at < wanted.length; at += atOnce) {
      const some = wanted.slice(at, at + atOnce)
      const rows = await this.#parts.exports.entities(this.#safeId, this.#importIds, some)
      for (const [key, merged] of merge(rows)) this.#entities.set(key, merged)
      if (this.#pause.due()) await this.#pause.rest()
    }
    return key => this.#entities.get(key) ?? { key, name: key, type: null, furtherNames: [] }
  }
}

interface Merged extends Named {
  /** Names that other imports have for it. */
  furtherNames: string[]
}

/** One entity for each key: the first type stated, and the name that answers show (`ContentStore.names`). */
function merge(rows: EntityRow[]): Map<string, Merged> {
  const merged = new Map<string, Merged>()
  for (const { key, name, type } of rows) {
    const known = merged.get(key)
    if (!known) {
      merged.set(key, { key, name, type, furtherNames: [] })
      continue
    }
    known.type ??= type
    if (normalizeName(known.name) === key) known.name = name
    else if (name !== known.name && normalizeName(name) !== key) known.furtherNames.push(name)
  }
  return merged
}

/** Letters, digits and dashes only: it becomes part of a header and of a path. */
function fileNameOf(safeName: string): string {
  const name = safeName
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return name.slice(0, 80) || 'safe'
}
