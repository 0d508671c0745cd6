import { LRUCache } from 'lru-cache'
import type { RowRange, RowRef, TimeRange } from '../../../engine/graph/index.js'
import { Part } from '../../part.js'
import type { Ranked } from '../index/content.js'
import { passageId } from '../passage-id.js'
import type { RecentDocument } from '../stores/compared-documents.sql.js'
import type { DocumentStore } from '../stores/document.sql.js'
import type { AnswerPassage } from './answer.js'
import { timeText } from './time-text.js'

/** Maximum documents, over all lists, cached for the next question. */
const MAX_KEPT = 200_000

/** Documents by their last change (`recent`). */
export class Recent extends Part<{ documents: Pick<DocumentStore, 'changed'> }> {
  readonly #kept = new LRUCache<string, RecentDocument[]>({
    maxSize: MAX_KEPT,
    sizeCalculation: ({ length }) => length + 1,
  })

  /** Documents that changed in a period and whose first passage is in each list of rows, the latest first. */
  async list(
    safeId: string,
    version: number,
    { since = 0, until = Infinity, within = [] }: TimeRange & { within?: readonly RowRange[][] },
  ): Promise<RecentDocument[]> {
    const all = await this.#all(safeId, version)
    const tests = within.map(testOf)
    return all.filter(change => change.at >= since && change.at <= until && tests.every(isIn => isIn(change)))
  }

  async #all(safeId: string, version: number): Promise<RecentDocument[]> {
    const name = `${safeId} ${version}`
    const known = this.#kept.get(name)
    if (known) return known
    const all: RecentDocument[] = []
    for await (const some of this.dependencies.documents.changed(safeId)) all.push(...some)
    all.sort((a, b) => b.at - a.at || b.written - a.written)
    this.#kept.set(name, all)
    return all
  }
}

function testOf(ranges: readonly RowRange[]): (row: RowRef) => boolean {
  const rows = new Map<number, Set<number>>()
  for (const { importId, from, to } of ranges) {
    const ids = rows.get(importId) ?? new Set()
    rows.set(importId, ids)
    for (let id = from; id <= to; id++) ids.add(id)
  }
  return ({ importId, id }) => rows.get(importId)?.has(id) ?? false
}

/** A page of changes as the engine would rank it. */
export function rankedChanges(
  page: readonly RecentDocument[],
  { offset, total }: { offset: number; total: number },
): Ranked {
  const passages = page.map(({ importId, id }, at) => ({
    ref: { importId, id },
    score: total - offset - at,
    entity: '',
  }))
  const none = { linked: [], facts: [], entities: [], unmatched: [], corrected: [], nearest: [] }
  const nothing = { unknownRelation: null, range: null, outside: null, evidence: null, summary: null }
  const counts = { entities: 0, relations: 0, passages: 0 }
  const ranking = { mode: 'search' as const, passages, total, counts, alsoMeant: [], ...none, ...nothing }
  return { ranking, naming: new Map(), merged: new Map() }
}

/** The passages under the titles of their documents, with their dates of change. */
export function withChanges(
  passages: readonly AnswerPassage[],
  page: readonly RecentDocument[],
): AnswerPassage[] {
  const byId = new Map(page.map(change => [passageId(change), change]))
  return passages.map(passage => {
    const { title, at } = byId.get(passage.id) ?? { title: '', at: 0 }
    return { ...passage, title: title || passage.title, time: timeText(at) }
  })
}
