import { setTimeout as pause } from 'node:timers/promises'
import { type EntityRow, normalizeName, Pause, spacedPredicate } from '../../../engine/graph/index.js'
import { Part } from '../../part.js'
import { timeText } from '../ask/time-text.js'
import type { SafesShared } from '../dependencies.js'
import { eachRow, inParts } from '../each-row.js'
import {
  emptyBatch,
  type FullPassage,
  type ImportRange,
  type Merge,
  type MergeLimits,
  type StoredRelation,
} from '../stores/types.js'
import { PAUSE_MS, WORK_LEASE_MS } from './dropping.js'
import { inTransactions, MergedDocuments, MergeLayer } from './merge-layer.js'

/** The newest 1,000 imports of a Safe can be undone one by one; 250 more are merged at a time. */
const MERGE_LIMITS: MergeLimits = { keep: 1_000, most: 250 }

/** How long merged rows are stored, because older indexes, here and in other processes, still refer to them. */
const RETIRED_MS = 600_000

/** Merges old imports of all Safes that have very many, and drops rows merged some time ago (ADR 31). */
export async function mergeOldImports(
  dependencies: MergeRunDependencies,
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

/** Merges a Safe's oldest imports step by step until only the newest remain. */
async function mergeImports(
  dependencies: MergeRunDependencies,
  safeId: string,
  signal: AbortSignal,
  limits: MergeLimits,
): Promise<void> {
  const { merges, clock } = dependencies
  let layer: MergeLayer | undefined
  while (!signal.aborted) {
    const now = clock()
    const merge = await merges.claim(safeId, limits, now, now + WORK_LEASE_MS)
    if (!merge) return
    const run = new MergeRun({ ...dependencies, merge, signal })
    layer ??= await run.readLayer()
    if (!(await run.copy(layer))) return
    if (!(await merges.finish(run.merge, layer.counts, clock()))) return
  }
}

/** Entities looked up and written at once, and other rows: with their aliases they fit into one transaction. */
const AT_ONCE = 200
/** Characters of passages written at once. */
const TEXT_AT_ONCE = 1_000_000

/** The input of a merge. */
export type MergeRunDependencies = Pick<SafesShared, 'merges' | 'contents' | 'clock'>

/** Copies the rows of imports into the layer. All rows stay visible meanwhile; duplicates count once. */
export class MergeRun extends Part<MergeRunDependencies & { merge: Merge; signal: AbortSignal }> {
  merge = this.dependencies.merge
  readonly #pause = new Pause()
  #batch = emptyBatch()
  #text = 0
  readonly #documents = new MergedDocuments()

  /** Called once per process: it reads the whole layer and changes nothing. */
  async readLayer(): Promise<MergeLayer> {
    const layer = new MergeLayer()
    const { merges, contents } = this.dependencies
    const { safeId, layer: id } = this.merge
    const only: ImportRange = [id, id]
    for await (const _ of this.#rows(contents.allRows(safeId, [only]).entities())) layer.counts.entities++
    for await (const row of this.#rows(merges.relations(safeId, only))) {
      layer.isNewRelation(row, this.#originOf(row), this.#isSingleValued(row))
      layer.counts.relations++
      layer.last.relation = row.id
    }
    for await (const row of this.#rows(contents.fullPassages(safeId, only))) {
      layer.isNewPassage(row)
      layer.counts.passages++
      layer.last.passage = row.id
    }
    for await (const document of this.#rows(merges.documents(safeId, only))) {
      layer.documents.set(document.path, document.id)
      layer.last.document = document.id
    }
    return layer
  }

  /** False if it was stopped, or another process holds the Safe. */
  async copy(layer: MergeLayer): Promise<boolean> {
    const done =
      (await this.#entities(layer)) &&
      (await this.#aliases()) &&
      (await this.#identities()) &&
      (await this.#relations(layer)) &&
      (await this.#copyDocuments(layer)) &&
      (await this.#passages(layer))
    if (!done && this.dependencies.signal.aborted) await this.dependencies.merges.release(this.merge)
    return done
  }

  async #entities(layer: MergeLayer): Promise<boolean> {
    for await (const some of this.#rows(inParts(this.#source().entities(), AT_ONCE))) {
      await this.#putEntities(layer, some)
      if (!(await this.#write(true))) return false
    }
    return true
  }

  /** As in an index, the first name that differs from the key is kept; later ones become aliases. */
  async #putEntities(layer: MergeLayer, rows: readonly EntityRow[]): Promise<void> {
    const { safeId, layer: importId } = this.merge
    const refs = [...new Set(rows.map(row => row.key))].map(key => ({ importId, key }))
    const there = await this.dependencies.contents.entities(safeId, refs)
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
    for await (const { entityKey, alias } of this.#rows(this.#source().aliases())) {
      this.#batch.aliases.push({ entityKey, alias })
      if (!(await this.#write())) return false
    }
    return this.#write(true)
  }

  /** In their order: the last statement about an entity replaces the others. */
  async #identities(): Promise<boolean> {
    for await (const some of this.#rows(inParts(this.#source().identities(), AT_ONCE))) {
      const last = new Map(some.map(({ key, sameAs }) => [key, { key, sameAs }]))
      this.#batch.identities = [...last.values()]
      if (!(await this.#write(true))) return false
    }
    return true
  }

  async #relations(layer: MergeLayer): Promise<boolean> {
    const { safeId, from, through } = this.merge
    for await (const row of this.#rows(this.dependencies.merges.relations(safeId, [from + 1, through]))) {
      const origin = this.#originOf(row)
      if (layer.isNewRelation(row, origin, this.#isSingleValued(row))) {
        const { subjectKey, predicate, objectKey, validFrom = null, validTo = null } = row
        const id = ++layer.last.relation
        layer.counts.relations++
        const times = { validFrom, validTo, learnedOn: this.#learnedOn(row) }
        this.#batch.relations.push({ id, subjectKey, predicate, objectKey, origin, ...times })
      }
      if (!(await this.#write())) return false
    }
    return this.#write(true)
  }

  async #copyDocuments(layer: MergeLayer): Promise<boolean> {
    const { safeId, from, through } = this.merge
    const { merges, clock } = this.dependencies
    for await (const page of merges.documents(safeId, [from + 1, through])) {
      const copies = page.map(document => this.#documents.add(layer, document))
      for (const some of inTransactions(copies)) {
        if (this.dependencies.signal.aborted) return false
        const until = clock() + WORK_LEASE_MS
        if (!(await merges.copyDocuments(this.merge, some, until))) return false
        this.merge = { ...this.merge, until }
        await pause(PAUSE_MS)
      }
    }
    return true
  }

  async #passages(layer: MergeLayer): Promise<boolean> {
    const { safeId, from, through } = this.merge
    let before: { row: FullPassage; isKept: boolean } | null = null
    const rows = this.dependencies.contents.fullPassages(safeId, [from + 1, through])
    for await (const row of this.#rows(rows)) {
      const isKept = layer.isNewPassage(row)
      const neighbour = before && row.seq !== null && isNext(before.row, row) ? before : null
      // A passage's neighbours are found beside its row, so a known neighbour is copied with it.
      if (isKept && neighbour && !neighbour.isKept) this.#addPassage(layer, neighbour.row)
      if (isKept || neighbour?.isKept) this.#addPassage(layer, row)
      before = { row, isKept }
      if (!(await this.#write())) return false
    }
    return this.#write(true)
  }

  #addPassage(layer: MergeLayer, row: FullPassage): void {
    const place = this.#documents.placeOf(row)
    this.#batch.passages.push({ ...row, id: ++layer.last.passage, origin: this.#originOf(row), ...place })
    layer.counts.passages++
    this.#text += row.text.length
  }

  #source() {
    const { safeId, from, through } = this.merge
    return this.dependencies.contents.allRows(safeId, [[from + 1, through]])
  }

  #originOf({ importId, origin }: { importId: number; origin: string | null }): string {
    return origin ?? this.merge.sources.get(importId) ?? ''
  }

  /**
   * A fact without dates was learned when its import began, which the layer does not store. It matters if a newer fact
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

  #rows<Row>(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
    return eachRow(pages, this.#pause)
  }

  /**
   * Writes the batch if it is large, or `all` is set. If all rows are known, long periods pass
   * without writing.
   */
  async #write(all = false): Promise<boolean> {
    const rows = Object.values(this.#batch).reduce((sum, list) => sum + list.length, 0)
    const { clock, merges } = this.dependencies
    const isLate = this.merge.until - clock() < WORK_LEASE_MS / 2
    if (!isLate && (rows === 0 || (!all && rows < AT_ONCE && this.#text < TEXT_AT_ONCE))) return true
    if (this.dependencies.signal.aborted) return false
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
