import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../common/clock.js'
import { Pause } from '../../graph/collections/pause.js'
import type { EntityRow } from '../../graph/model.js'
import { MAX_SOURCES } from '../../graph/retrieval/ranking.js'
import { normalizeName, spacedPredicate } from '../../graph/text/text.js'
import { timeText } from '../ask/time-text.js'
import { HashSet } from '../hash-set.js'
import type { Counts } from '../safe.js'
import type { ContentStore } from '../stores/content.sql.js'
import type { ExportStore } from '../stores/export.sql.js'
import type { LayerDocument } from '../stores/layer-documents.sql.js'
import type { MergeStore } from '../stores/merge.sql.js'
import {
  emptyBatch,
  type FullPassage,
  type ImportRange,
  type Merge,
  type MergeLimits,
  type StoredRelation,
} from '../stores/types.js'
import { PAUSE_MS, WORK_LEASE_MS } from './dropping.js'

/** The newest 1,000 imports of a Safe can be undone one by one; 250 more are merged at a time. */
const MERGE_LIMITS: MergeLimits = { keep: 1_000, most: 250 }

/** How long merged rows are kept, because older indexes, here and in other processes, still name them. */
const RETIRED_MS = 600_000

/**
 * Entities looked up and written at once, and other rows: with their aliases they fit into one transaction.
 */
const AT_ONCE = 200
/** Characters of passages written at once. */
const TEXT_AT_ONCE = 1_000_000
/** Documents copied at once. */
const DOCUMENTS_AT_ONCE = 50

interface Dependencies {
  merges: MergeStore
  contents: ContentStore
  exports: ExportStore
  clock: Clock
}

/**
 * Merges old imports of all Safes that have very many, and drops rows that were merged some time ago (ADR
 * 31).
 */
export async function mergeOldImports(
  dependencies: Dependencies,
  signal: AbortSignal,
  limits: MergeLimits = MERGE_LIMITS,
): Promise<void> {
  const { merges, clock } = dependencies
  for (const safeId of await merges.withManyImports(limits.keep + limits.most)) {
    if (!signal.aborted) await mergeImports(dependencies, safeId, signal, limits)
  }
  for (const { safeId, imports } of await merges.merged(clock() - RETIRED_MS)) {
    if (!(await merges.retire(safeId, imports))) continue
    while (!signal.aborted && (await merges.dropSome(safeId, imports))) await pause(PAUSE_MS)
  }
}

/** Merges a Safe's oldest imports step by step until only those to keep are left. */
async function mergeImports(
  dependencies: Dependencies,
  safeId: string,
  signal: AbortSignal,
  limits: MergeLimits,
): Promise<void> {
  const { merges, clock } = dependencies
  let layer: Layer | undefined
  while (!signal.aborted) {
    const now = clock()
    const merge = await merges.claim(safeId, limits, now, now + WORK_LEASE_MS)
    if (!merge) return
    const run = new MergeRun(dependencies, merge, signal)
    layer ??= await run.readLayer()
    if (!(await run.copy(layer))) return
    if (!(await merges.finish(run.merge, layer.counts, clock()))) return
  }
}

/** The layer's contents: which rows are new to it, and the ids of its next rows. */
class Layer {
  readonly counts: Counts = { entities: 0, relations: 0, passages: 0 }
  readonly last = { relation: 0, passage: 0, document: 0 }
  /** Path → document. */
  readonly documents = new Map<string, number>()
  readonly #seen = new HashSet()
  /** Subject and predicate with one value at a time → its latest value. */
  readonly #values = new Map<string, string>()

  /**
   * Whether to keep the relation: once per source, and from as many sources as answers name. Of a predicate with one value
   * at a time, also when an earlier value has come back.
   */
  isNewRelation(row: StoredRelation, origin: string, isSingleValued: boolean): boolean {
    const isNew = this.#isNew(row, origin)
    if (!isSingleValued) return isNew
    const place = `${row.subjectKey}\0${row.predicate}`
    const before = this.#values.get(place) ?? row.objectKey
    this.#values.set(place, row.objectKey)
    return isNew || before !== row.objectKey
  }

  #isNew(row: StoredRelation, origin: string): boolean {
    const { subjectKey, predicate, objectKey, validFrom = null, validTo = null } = row
    const thing = ['relation', subjectKey, predicate, objectKey, validFrom, validTo]
    if (!this.#seen.add(...thing, 'from', origin)) return false
    for (let copy = 0; copy < MAX_SOURCES; copy++) if (this.#seen.add(...thing, copy)) return true
    return false
  }

  /**
   * Whether to keep the passage: once, from the first import that contains it, which is the one that answers
   * name.
   */
  isNewPassage({ entityKey, title, text, source, seq, time }: FullPassage): boolean {
    return this.#seen.add('passage', entityKey, title, text, source, seq, time)
  }
}

/** Copies the rows of imports into the layer. All rows stay visible meanwhile; duplicates count once. */
class MergeRun {
  merge: Merge
  readonly #dependencies: Dependencies
  readonly #signal: AbortSignal
  readonly #pause = new Pause()
  #batch = emptyBatch()
  #text = 0
  /** Import and document → the document in the layer. */
  readonly #copied = new Map<string, { newId: number; document: LayerDocument }>()
  /** Document in the layer → the one that it is a copy of. */
  readonly #newest = new Map<number, LayerDocument>()

  constructor(dependencies: Dependencies, merge: Merge, signal: AbortSignal) {
    this.#dependencies = dependencies
    this.merge = merge
    this.#signal = signal
  }

  /** Called once per process: it reads the whole layer and changes nothing. */
  async readLayer(): Promise<Layer> {
    const layer = new Layer()
    const { safeId, layer: id } = this.merge
    const only: ImportRange = [id, id]
    for await (const page of this.#dependencies.contents.allRows(safeId, [only]).entities()) {
      layer.counts.entities += page.length
      await this.#pause.rest()
    }
    for await (const page of this.#dependencies.merges.relations(safeId, only)) {
      for (const row of page) {
        layer.isNewRelation(row, this.#originOf(row), this.#isSingleValued(row))
        layer.counts.relations++
        layer.last.relation = row.id
        await this.#letOthers()
      }
    }
    for await (const page of this.#dependencies.exports.passages(safeId, only)) {
      for (const row of page) {
        layer.isNewPassage(row)
        layer.counts.passages++
        layer.last.passage = row.id
        await this.#letOthers()
      }
    }
    for await (const page of this.#dependencies.merges.documents(safeId, [id, id])) {
      for (const document of page) {
        layer.documents.set(document.path, document.id)
        layer.last.document = document.id
      }
      await this.#pause.rest()
    }
    return layer
  }

  /** False when it was stopped, or another process holds the Safe. */
  async copy(layer: Layer): Promise<boolean> {
    const done =
      (await this.#entities(layer)) &&
      (await this.#aliases()) &&
      (await this.#identities()) &&
      (await this.#relations(layer)) &&
      (await this.#documents(layer)) &&
      (await this.#passages(layer))
    if (!done && this.#signal.aborted) await this.#dependencies.merges.release(this.merge)
    return done
  }

  async #entities(layer: Layer): Promise<boolean> {
    for await (const page of this.#source().entities()) {
      for (let at = 0; at < page.length; at += AT_ONCE) {
        await this.#putEntities(layer, page.slice(at, at + AT_ONCE))
        if (!(await this.#write(true))) return false
      }
    }
    return true
  }

  /** As in an index, the first name that differs from the key is kept; later ones become aliases. */
  async #putEntities(layer: Layer, rows: readonly EntityRow[]): Promise<void> {
    const { safeId, layer: importId } = this.merge
    const refs = [...new Set(rows.map(row => row.key))].map(key => ({ importId, key }))
    const there = await this.#dependencies.contents.entities(safeId, refs)
    const known = new Map(there.map(({ key, name, type }) => [key, { key, name, type, named: true }]))
    const changed = new Set<string>()
    for (const { key, name, type } of rows) {
      const entity = known.get(key)
      if (!entity) {
        layer.counts.entities++
        known.set(key, { key, name, type, named: true })
        changed.add(key)
        continue
      }
      const isStated = normalizeName(entity.name) !== key
      if (isStated && name !== entity.name && normalizeName(name) !== key)
        this.#batch.aliases.push({ entityKey: key, alias: name })
      if ((!isStated && name !== entity.name) || (entity.type === null && type !== null)) changed.add(key)
      if (!isStated) entity.name = name
      entity.type ??= type
    }
    this.#batch.entities = [...changed].flatMap(key => known.get(key) ?? [])
  }

  async #aliases(): Promise<boolean> {
    for await (const page of this.#source().aliases()) {
      for (const { entityKey, alias } of page) {
        this.#batch.aliases.push({ entityKey, alias })
        if (!(await this.#write())) return false
      }
    }
    return this.#write(true)
  }

  /** In their order: the last statement about an entity replaces the others. */
  async #identities(): Promise<boolean> {
    for await (const page of this.#source().identities()) {
      for (let at = 0; at < page.length; at += AT_ONCE) {
        const last = new Map(page.slice(at, at + AT_ONCE).map(({ key, sameAs }) => [key, { key, sameAs }]))
        this.#batch.identities = [...last.values()]
        if (!(await this.#write(true))) return false
      }
    }
    return true
  }

  async #relations(layer: Layer): Promise<boolean> {
    const { safeId, from, through } = this.merge
    for await (const page of this.#dependencies.merges.relations(safeId, [from + 1, through])) {
      for (const row of page) {
        const origin = this.#originOf(row)
        if (layer.isNewRelation(row, origin, this.#isSingleValued(row))) {
          const { subjectKey, predicate, objectKey, validFrom = null, validTo = null } = row
          const id = ++layer.last.relation
          layer.counts.relations++
          const times = { validFrom, validTo, learnedOn: this.#learnedOn(row) }
          this.#batch.relations.push({ id, subjectKey, predicate, objectKey, origin, ...times })
        }
        await this.#letOthers()
        if (!(await this.#write())) return false
      }
    }
    return this.#write(true)
  }

  /** Of documents with the same path, the newest is kept. */
  async #documents(layer: Layer): Promise<boolean> {
    const { safeId, from, through } = this.merge
    for await (const page of this.#dependencies.merges.documents(safeId, [from + 1, through])) {
      const copies = page.map(document => {
        const newId = layer.documents.get(document.path) ?? ++layer.last.document
        layer.documents.set(document.path, newId)
        this.#copied.set(`${document.importId} ${document.id}`, { newId, document })
        this.#newest.set(newId, document)
        return { document, newId }
      })
      for (let at = 0; at < copies.length; ) {
        const some: typeof copies = []
        for (
          let bytes = 0;
          some.length < DOCUMENTS_AT_ONCE && bytes < TEXT_AT_ONCE && at < copies.length;
          at++
        ) {
          some.push(...copies.slice(at, at + 1))
          bytes += copies[at]?.document.textBytes ?? 0
        }
        if (this.#signal.aborted) return false
        const until = this.#dependencies.clock() + WORK_LEASE_MS
        if (!(await this.#dependencies.merges.copyDocuments(this.merge, some, until))) return false
        this.merge = { ...this.merge, until }
        await pause(PAUSE_MS)
      }
    }
    return true
  }

  /** Where a passage stands in the layer. Its line is that of the document only if that has not been replaced. */
  #placeOf({ importId, documentId, line }: FullPassage): { documentId: number | null; line: number | null } {
    const copied = this.#copied.get(`${importId} ${documentId}`)
    if (!copied) return { documentId: null, line: null }
    return {
      documentId: copied.newId,
      line: this.#newest.get(copied.newId) === copied.document ? line : null,
    }
  }

  async #passages(layer: Layer): Promise<boolean> {
    const { safeId, from, through } = this.merge
    let before: { row: FullPassage; isKept: boolean } | null = null
    for await (const page of this.#dependencies.exports.passages(safeId, [from + 1, through])) {
      for (const row of page) {
        const isKept = layer.isNewPassage(row)
        const neighbour = before && row.seq !== null && isNext(before.row, row) ? before : null
        // A passage's neighbours are found beside its row, so a known neighbour is copied with it.
        if (isKept && neighbour && !neighbour.isKept) this.#addPassage(layer, neighbour.row)
        if (isKept || neighbour?.isKept) this.#addPassage(layer, row)
        before = { row, isKept }
        await this.#letOthers()
        if (!(await this.#write())) return false
      }
    }
    return this.#write(true)
  }

  #addPassage(layer: Layer, row: FullPassage): void {
    const { entityKey, title, text, source, seq, time } = row
    const origin = this.#originOf(row)
    const id = ++layer.last.passage
    layer.counts.passages++
    this.#text += text.length
    this.#batch.passages.push({
      id,
      entityKey,
      title,
      text,
      source,
      seq,
      time,
      origin,
      ...this.#placeOf(row),
    })
  }

  #source() {
    const { safeId, from, through } = this.merge
    return this.#dependencies.contents.allRows(safeId, [[from + 1, through]])
  }

  #originOf({ importId, origin }: { importId: number; origin: string | null }): string {
    return origin ?? this.merge.sources.get(importId) ?? ''
  }

  /**
   * A fact without dates was learned when its import began, which the layer does not know. It matters where a newer fact
   * supersedes it (ADR 55).
   */
  #learnedOn(row: StoredRelation): string | null {
    const { importId, validFrom, validTo, learnedOn } = row
    const time = this.merge.times.get(importId)
    if (learnedOn || validFrom || validTo || time === undefined) return learnedOn ?? null
    return this.#isSingleValued(row) ? timeText(time) : null
  }

  #isSingleValued({ predicate }: StoredRelation): boolean {
    const { singleValued } = this.merge
    return singleValued.size > 0 && singleValued.has(normalizeName(spacedPredicate(predicate)))
  }

  async #letOthers(): Promise<void> {
    if (this.#pause.due()) await this.#pause.rest()
  }

  /**
   * Writes the batch when it is large, or when `all` is set. Where all rows are known, long periods pass
   * without writing.
   */
  async #write(all = false): Promise<boolean> {
    const rows = Object.values(this.#batch).reduce((sum, list) => sum + list.length, 0)
    const { clock, merges } = this.#dependencies
    const isLate = this.merge.until - clock() < WORK_LEASE_MS / 2
    if (!isLate && (rows === 0 || (!all && rows < AT_ONCE && this.#text < TEXT_AT_ONCE))) return true
    if (this.#signal.aborted) return false
    const until = clock() + WORK_LEASE_MS
    if (!(await merges.append(this.merge, this.#batch, until))) return false
    this.merge = { ...this.merge, until }
    this.#batch = emptyBatch()
    this.#text = 0
    await pause(PAUSE_MS)
    return true
  }
}

const isNext = (before: FullPassage, row: FullPassage) =>
  before.importId === row.importId && before.id + 1 === row.id && before.entityKey === row.entityKey
