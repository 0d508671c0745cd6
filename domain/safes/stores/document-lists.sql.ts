import { setImmediate as otherRequests } from 'node:timers/promises'
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { documentOf, endOf, escapeLike, type StoredDocument } from './document-row.js'
import { isAmong, newestDocuments } from './visible-documents.sql.js'

export interface ListedDocuments {
  words?: readonly string[]
  tag?: string | undefined
  folder?: string
  after?: string
  /** Also pictures; only without words and tag. */
  withImages?: boolean
  limit: number
}

/** Where a list goes on. */
export interface DocumentPlace {
  path: string
  time: number | null
}

/** Candidates of a list at once. */
const CANDIDATES = 200
/** Before every date. */
const UNDATED = -(2 ** 53)
/** Not by the index of paths, from which SQLite would look up each row. */
const BY_PATH = sql<string>`d.path || ''`
const BY_TIME = sql<number>`coalesce(d.time, ${UNDATED})`

/** Documents in force by path, those after `after`. `words` must all be part of the path or the title; `folder` ends with a slash. */
export async function documentsByPath(
  db: Kysely<Schema>,
  safeId: string,
  { words = [], tag, folder = '', after = '', withImages, limit }: ListedDocuments,
): Promise<StoredDocument[]> {
  const isInFolder = sql<SqlBool>`(${folder} = '' or (d.path >= ${folder} and d.path < ${endOf(folder)}))`
  if (words.length === 0 && tag === undefined) {
    const all = newestDocuments(db, safeId, withImages).where('d.path', '>', after).where(isInFolder)
    return (await all.orderBy('d.path').limit(limit).execute()).map(documentOf)
  }
  const isWanted = sql<SqlBool>`${sql.join([isInFolder, ...conditionsOf(words, tag)], sql` and `)}`
  const page = (last: DocumentPlace) =>
    candidates(db, safeId).where(isWanted).where(BY_PATH, '>', last.path).orderBy(BY_PATH)
  return inForce(db, safeId, { isWanted, page, after: { path: after, time: null }, limit })
}

/** The newest first, by their dates, then by path; those without a date last. */
export function documentsByTime(
  db: Kysely<Schema>,
  safeId: string,
  { after, limit }: { after?: DocumentPlace | undefined; limit: number },
): Promise<StoredDocument[]> {
  const page = (last: DocumentPlace | null) => {
    const at = last?.time ?? UNDATED
    const isLater = sql<SqlBool>`(${BY_TIME} < ${at} or (${BY_TIME} = ${at} and d.path > ${last?.path ?? ''}))`
    return candidates(db, safeId)
      .$if(last !== null, query => query.where(isLater))
      .orderBy(BY_TIME, 'desc')
      .orderBy(BY_PATH)
  }
  return inForce(db, safeId, { isWanted: sql`1 = 1`, page, after: after ?? null, limit })
}

const candidates = (db: Kysely<Schema>, safeId: string) =>
  db.selectFrom('documents as d').where('d.safe_id', '=', safeId).select(['d.path', 'd.time'])

/**
 * The first documents that are in force. Whether one is takes several times as long as whether it is wanted, so that is
 * asked of a few candidates at a time, in their order.
 */
async function inForce<Start extends DocumentPlace | null>(
  db: Kysely<Schema>,
  safeId: string,
  asked: {
    isWanted: RawBuilder<SqlBool>
    page(last: Start | DocumentPlace): ReturnType<typeof candidates>
    after: Start
    limit: number
  },
): Promise<StoredDocument[]> {
  const found: StoredDocument[] = []
  for (let last: Start | DocumentPlace = asked.after; ; await otherRequests()) {
    const some = await asked.page(last).limit(CANDIDATES).execute()
    const paths = [...new Set(some.map(({ path }) => path))]
    const rows = await newestDocuments(db, safeId)
      .where(isAmong(db, safeId, 'd.path', paths))
      .where(asked.isWanted)
      .orderBy('d.path')
      .execute()
    const byPlace = new Map(rows.map(row => [placeOf(row), documentOf(row)]))
    for (const place of new Set(some.map(placeOf))) found.push(...[byPlace.get(place) ?? []].flat())
    const end = some.at(-1)
    if (!end || found.length >= asked.limit || some.length < CANDIDATES) return found.slice(0, asked.limit)
    last = { path: end.path, time: end.time === null ? null : Number(end.time) }
  }
}

const placeOf = ({ path, time }: DocumentPlace) => `${time} ${path}`

/** Of documents with these words in their path or title, and this tag. */
function conditionsOf(words: readonly string[], tag: string | undefined) {
  const conditions = words.map(word => {
    const part = `%${escapeLike(word.toLowerCase())}%`
    return sql<SqlBool>`(lower(d.path) like ${part} escape '\\' or lower(d.title) like ${part} escape '\\')`
  })
  if (tag === undefined) return conditions
  const part = `%${escapeLike(JSON.stringify(tag))}%`
  return [...conditions, sql<SqlBool>`d.tags_json like ${part} escape '\\'`]
}
