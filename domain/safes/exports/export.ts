import {
  EXPORT_FORMATS,
  type ExportFormat,
  type Statement,
  type WrittenEntity,
} from '../../../engine/formats/index.js'
import {
  type FactTimes,
  Identities,
  normalizeName,
  Pause,
  type RelationRow,
  spacedPredicate,
  trimEndOf,
} from '../../../engine/graph/index.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { normalForm } from '../../../platform/common/normal-form.js'
import { Part } from '../../part.js'
import { timeText } from '../ask/time-text.js'
import { eachRow } from '../each-row.js'
import { safeErrors } from '../errors.js'
import { HashSet, passageOf } from '../hash-tables.js'
import { filtered } from '../removed/removed.js'
import type { Export } from '../safe.js'
import type { ContentStore } from '../stores/content.sql.js'
import type { EntityRef, ImportRange } from '../stores/types.js'
import { EntityOrigins } from './entity-origins.js'
import { EXPORTS } from './export-formats.js'
import { type MarkdownDependencies, markdownArchive } from './markdown.js'

interface ExportDependencies extends MarkdownDependencies {
  contents: ContentStore
}

/** Characters per chunk. */
const CHUNK = 32_768
/** Entities looked up at once: few enough that it takes only milliseconds. */
const LOOKUP = 128
/** Maximum entities cached; every relation of a hub names it. */
const REMEMBERED = 20_000

/**
 * The merged view of a Safe's committed imports as a file: statements of several imports appear once
 * (GRAPH §1). The import history is not included. Reading starts with the first chunk, one page at a time.
 * @throws DomainError 400 when the format does not exist
 */
export function exportSafe(
  dependencies: ExportDependencies,
  safeId: string,
  safeName: string,
  formatId: string,
  signal: AbortSignal,
): Export {
  const known = EXPORTS.find(({ id }) => id === formatId)
  if (!known) throw safeErrors.unknownExportFormat(formatId, EXPORTS.map(({ id }) => id).join(', '))
  const format = EXPORT_FORMATS.find(({ id }) => id === formatId)
  return {
    fileName: `${fileNameOf(safeName)}.${known.extension}`,
    contentType: known.contentType,
    chunks: format
      ? write(dependencies, safeId, format, signal)
      : markdownArchive(dependencies, safeId, signal),
  }
}

async function* write(
  dependencies: ExportDependencies,
  safeId: string,
  format: ExportFormat,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const committed = await dependencies.contents.committedImports(safeId)
  if (!committed) throw notFound('Safe')
  const writer = await format.writer()
  const pause = new Pause()
  let chunk = ''
  const { ranges } = committed
  for await (const statement of new Statements({ ...dependencies, safeId, ranges, pause }).all()) {
    chunk += writer.write(statement)
    if (pause.due()) await pause.rest()
    if (chunk.length < CHUNK) continue
    if (signal.aborted) throw safeErrors.stopped()
    yield chunk
    chunk = ''
  }
  // Rows of an import that was undone in the meantime may be missing. An error is better than an incomplete
  // file.
  const now = await dependencies.contents.committedImports(safeId)
  if (!now || Math.max(now.undoneVersion, now.readableFrom) > committed.version) {
    throw safeErrors.changed()
  }
  yield chunk + writer.end()
}

interface StatementsDependencies extends ExportDependencies {
  safeId: string
  ranges: readonly ImportRange[]
  pause: Pause
}

/** Reads the imports of one Safe. */
class Statements extends Part<StatementsDependencies> {
  readonly #origins = new EntityOrigins()
  readonly #entities = new Map<string, WrittenEntity>()
  readonly #seen = new HashSet()

  /** Passages first, each after its entity, because JSONL writes them on one line. */
  async *all(): AsyncGenerator<Statement> {
    const rows = eachRow(this.#source().entities(), this.dependencies.pause)
    for await (const row of rows) this.#origins.add(row)
    for (const range of this.dependencies.ranges) yield* this.#passages(range)
    yield* this.#otherEntities()
    yield* this.#aliases()
    yield* this.#identities()
    yield* this.#relations()
  }

  async *#passages(range: ImportRange): AsyncGenerator<Statement> {
    const all = this.dependencies.contents.fullPassages(this.dependencies.safeId, range)
    const removed = () => this.dependencies.contents.removed(this.dependencies.safeId)
    for await (const page of filtered(all, removed, (one, row) => one.hasPassage(row))) {
      const entities = await this.#merged(page.map(row => row.entityKey))
      for (const row of page) {
        if (!this.#seen.add(...passageOf(row))) continue
        const { entityKey, title, text, source, seq, time } = row
        const entity = entities(entityKey)
        yield* this.#entityOnce(entity)
        yield { kind: 'passage', entity, title, text, source, seq, time }
      }
    }
  }

  /** A name other than the one shown for the entity is an alias. */
  async *#otherEntities(): AsyncGenerator<Statement> {
    for await (const page of this.#source().entities()) {
      const entities = await this.#merged(page.map(row => row.key))
      for (const { key, name } of page) {
        const entity = entities(key)
        yield* this.#entityOnce(entity)
        if (name !== entity.name && normalizeName(name) !== key) yield* this.#aliasOnce(entity, name)
      }
    }
  }

  async *#aliases(): AsyncGenerator<Statement> {
    for await (const page of this.#source().aliases()) {
      const entities = await this.#merged(page.map(row => row.entityKey))
      for (const { entityKey, alias } of page) yield* this.#aliasOnce(entities(entityKey), alias)
    }
  }

  /** In their current state: entities that were split again are not mentioned. */
  async *#identities(): AsyncGenerator<Statement> {
    const identities = new Identities()
    for await (const page of this.#source().identities()) for (const row of page) identities.add(row)
    const merged = [...identities.resolve()]
    for (let at = 0; at < merged.length; at += LOOKUP) {
      const page = merged.slice(at, at + LOOKUP)
      const entities = await this.#merged(page.flat())
      for (const [key, root] of page) yield { kind: 'same', entity: entities(key), sameAs: entities(root) }
    }
  }

  async *#relations(): AsyncGenerator<Statement> {
    const learned = await this.#learned()
    for await (const page of this.#source().relations()) {
      const entities = await this.#merged(page.flatMap(row => [row.subjectKey, row.objectKey]))
      for (const row of page) {
        const { subjectKey, predicate, objectKey } = row
        const times = timesOf(row)
        const time = learned.get(keyOf(row))
        if (time !== undefined) times.learnedOn ??= timeText(time)
        if (!this.#seen.add('relation', subjectKey, predicate, objectKey, ...Object.values(times))) continue
        const ends = { subject: entities(subjectKey), object: entities(objectKey) }
        yield { kind: 'relation', ...ends, predicate, ...times }
      }
    }
  }

  /**
   * The dates of undated facts that newer ones supersede: the start of the newest import that states them
   * (ADR 55). The new Safe would take the day of its own import.
   */
  async #learned(): Promise<ReadonlyMap<string, number>> {
    const times = new Map<string, number>()
    const succession = await this.#source().succession?.()
    if (!succession) return times
    for await (const row of eachRow(this.#source().relations(), this.dependencies.pause)) {
      const { importId, predicate, validFrom, validTo, learnedOn } = row
      if (validFrom || validTo || learnedOn) continue
      if (!succession.predicates.has(normalizeName(spacedPredicate(predicate)))) continue
      const time = succession.learnedOn(importId)
      const known = times.get(keyOf(row)) ?? Number.NEGATIVE_INFINITY
      if (known < time) times.set(keyOf(row), time)
    }
    return times
  }

  *#entityOnce(entity: WrittenEntity): Generator<Statement> {
    if (this.#seen.add('entity', entity.key)) yield { kind: 'entity', entity }
  }

  *#aliasOnce(entity: WrittenEntity, alias: string): Generator<Statement> {
    if (this.#seen.add('alias', entity.key, alias)) yield { kind: 'alias', entity, alias }
  }

  #source() {
    return this.dependencies.contents.source(this.dependencies.safeId, this.dependencies.ranges)
  }

  /** These entities as described by all imports together. */
  async #merged(keys: string[]): Promise<(key: string) => WrittenEntity> {
    // Reading the page also took time.
    await this.dependencies.pause.rest()
    if (this.#entities.size > REMEMBERED) this.#entities.clear()
    const wanted = [...new Set(keys)].filter(key => !this.#entities.has(key))
    for (let at = 0; at < wanted.length; at += LOOKUP) {
      await this.#read(wanted.slice(at, at + LOOKUP))
      if (this.dependencies.pause.due()) await this.dependencies.pause.rest()
    }
    return key => this.#entities.get(key) ?? { key, name: key, type: null }
  }

  async #read(keys: string[]): Promise<void> {
    const origins = new Map(keys.map(key => [key, this.#origins.of(key)]))
    const refs: EntityRef[] = []
    for (const [key, origin] of origins) {
      if (!origin) continue
      refs.push({ importId: origin.name, key })
      if (origin.type !== 0 && origin.type !== origin.name) refs.push({ importId: origin.type, key })
    }
    for (const row of await this.dependencies.contents.entities(this.dependencies.safeId, refs)) {
      const { key } = row
      const entity = this.#entities.get(key) ?? { key, name: key, type: null }
      if (row.importId === origins.get(key)?.name) entity.name = row.name
      if (row.importId === origins.get(key)?.type) entity.type = row.type
      this.#entities.set(key, entity)
    }
  }
}

const keyOf = ({ subjectKey, predicate, objectKey }: RelationRow) =>
  [subjectKey, predicate, objectKey].join('\0')

const timesOf = ({ validFrom = null, validTo = null, learnedOn = null }: FactTimes) => ({
  validFrom,
  validTo,
  learnedOn,
})

/** Only letters, digits and dashes, because the name becomes part of a header and of a path. */
function fileNameOf(safeName: string): string {
  const name = normalForm(safeName, 'NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-/, '')
  return trimEndOf(name, '-').slice(0, 80) || 'safe'
}
