import { setImmediate as otherRequests } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/storage/schema.js'
import { documentOf, endOf, escapeLike, type StoredDocument } from './document-row.js'
import { changedAt, isAmong, newestDocuments } from './visible-documents.sql.js'

export interface ListedDocuments {
  words?: readonly string[]
  tag?: string | undefined
  folder?: string
  after?: string
  /** Also pictures; only without words and tag. */
  withImages?: boolean
  limit: number
}

/** A document with its sort value. */
export type ListedDocument = StoredDocument & { value: number | null }

/** The position where a list continues: after a path among those with this sort value. */
export interface DocumentPlace {
  path: string
  value: number | null
}

/** A page of documents in an order. */
export interface DocumentsPage {
  after?: DocumentPlace | null | undefined
  limit: number
}

/** Sort keys of documents, the largest value first: their own date, the time of their change, or the bytes of their text. */
export type DocumentOrder = 'time' | 'changed' | 'size'

/** Candidates of a list at once. */
const CANDIDATES = 200
/** Before every date. */
const UNDATED = -(2 ** 53)
/** Without the index of paths, from which SQLite would look up each row. */
const BY_PATH = sql<string>`d.path || ''`
const ORDERS: Record<DocumentOrder, RawBuilder<number | string>> = {
  time: sql`coalesce(d.time, ${UNDATED})`,
  changed: changedAt,
  size: sql`case when d.text_bytes > 0 then d.text_bytes else d.size end`,
}

/** Current documents by path, those after `after`. `words` must all be part of the path or the title; `folder` ends with a slash. */
export async function documentsByPath(
  db: Db,
  safeId: string,
  { words = [], tag, folder = '', after = '', withImages, limit }: ListedDocuments,
): Promise<StoredDocument[]> {
  const isInFolder = sql<SqlBool>`(${folder} = '' or (d.path >= ${folder} and d.path < ${endOf(folder)}))`
  if (words.length === 0 && tag === undefined) {
    const all = newestDocuments(db, safeId, withImages).where('d.path', '>', after).where(isInFolder)
    const rows = await all.orderBy('d.path').limit(limit).execute()
    return rows.map(documentOf)
  }
  const isWanted = sql<SqlBool>`${sql.join([isInFolder, ...conditionsOf(words, tag)], sql` and `)}`
  const page = (last: DocumentPlace | null) =>
    candidates(db, safeId, 'time')
      .where(isWanted)
      .where(BY_PATH, '>', last?.path ?? '')
      .orderBy(BY_PATH)
  return inForce(db, safeId, isWanted, page, { after: { path: after, value: null }, limit })
}

/** In an order, then by path; sorted by time, those without a date come last. */
export function documentsInOrder(
  db: Db,
  safeId: string,
  order: DocumentOrder,
  options: DocumentsPage,
): Promise<ListedDocument[]> {
  const by = ORDERS[order]
  const page = (last: DocumentPlace | null) => {
    const at = last?.value ?? UNDATED
    const isLater = sql<SqlBool>`(${by} < ${at} or (${by} = ${at} and d.path > ${last?.path ?? ''}))`
    return candidates(db, safeId, order)
      .$if(last !== null, query => query.where(isLater))
      .orderBy(by, 'desc')
      .orderBy(BY_PATH)
  }
  return inForce(db, safeId, sql`1 = 1`, page, options)
}

const candidates = (db: Db, safeId: string, order: DocumentOrder) =>
  db
    .selectFrom('documents as d')
    .where('d.safe_id', '=', safeId)
    .select(['d.path', 'd.import_id', ORDERS[order].as('value')])

/**
 * The first current documents. Checking that takes several times as long as checking the filters, so it is
 * done for a few candidates at a time, in their order.
 */
async function inForce(
  db: Db,
  safeId: string,
  isWanted: RawBuilder<SqlBool>,
  page: (last: DocumentPlace | null) => ReturnType<typeof candidates>,
  { after = null, limit }: DocumentsPage,
): Promise<ListedDocument[]> {
  const found: ListedDocument[] = []
  for (let last = after; ; await otherRequests()) {
    const some = await page(last).limit(CANDIDATES).execute()
    const paths = [...new Set(some.map(({ path }) => path))]
    const rows = await newestDocuments(db, safeId)
      .where(isAmong(db, safeId, 'd.path', paths))
      .where(isWanted)
      .orderBy('d.path')
      .execute()
    const values = new Map(some.map(each => [layerOf(each), Number(each.value)]))
    const ordered = new Map(rows.map(row => [layerOf(row), documentOf(row)]))
    for (const [layer, value] of values)
      found.push(...[ordered.get(layer) ?? []].flat().map(document => ({ ...document, value })))
    const end = some.at(-1)
    if (!end || found.length >= limit || some.length < CANDIDATES) return found.slice(0, limit)
    last = { path: end.path, value: Number(end.value) }
  }
}

const layerOf = ({ import_id, path }: { import_id: number; path: string }) => `${import_id} ${path}`

/** Documents with these words in their path or title, and this tag. */
function conditionsOf(words: readonly string[], tag: string | undefined) {
  const conditions = words.map(word => {
    const part = `%${escapeLike(word.toLowerCase())}%`
    return sql<SqlBool>`(lower(d.path) like ${part} escape '\\' or lower(d.title) like ${part} escape '\\')`
  })
  if (tag === undefined) return conditions
  const part = `%${escapeLike(JSON.stringify(tag))}%`
  return [...conditions, sql<SqlBool>`d.tags_json like ${part} escape '\\'`]
}
