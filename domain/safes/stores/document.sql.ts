import { setImmediate as otherRequests } from 'node:timers/promises'
import { inflateRawSync } from 'node:zlib'
import { type SqlBool, sql } from 'kysely'
import type { RowRange, RowRef } from '../../../engine/graph/index.js'
import { on, selectWhere, tables } from '../../../platform/storage/where.js'
import { of, ReadingStore } from '../../store.js'
import { changedDocuments, comparedDocuments } from './compared-documents.sql.js'
import { documentsByPath, documentsInOrder } from './document-lists.sql.js'
import { documentOf, endOf, escapeLike, type StoredDocument } from './document-row.js'
import { documentVersions } from './document-versions.sql.js'
import { passagesLike } from './graph-source.sql.js'
import { rangesOf } from './ranges.js'
import {
  isAmong,
  newestDocuments,
  visibleAddresses,
  visibleDocuments,
  visibleFiles,
} from './visible-documents.sql.js'

export type {
  DocumentOrder,
  DocumentPlace,
  DocumentsPage,
  ListedDocument,
  ListedDocuments,
} from './document-lists.sql.js'
export type { StoredDocument } from './document-row.js'

/** A passage and its place in its document. */
export interface DocumentPassage {
  id: number
  /** Null in documents of earlier imports. */
  line: number | null
  entityKey: string
  title: string
  text: string
}

/** Maximum passages of one document that are read. */
const MAX_PASSAGES = 5_000

/** Reads documents. Each method sees those visible in the Safe: the newest of each path. */
export class DocumentStore extends ReadingStore {
  /** The functions describe these. */
  list = of(this.db, documentsByPath)
  inOrder = of(this.db, documentsInOrder)
  compared = of(this.db, comparedDocuments)
  changed = of(this.db, changedDocuments)
  passagesLike = of(this.db, passagesLike)
  versions = of(this.db, documentVersions)

  async find(safeId: string, path: string): Promise<StoredDocument | null> {
    const row = await this.#visible(safeId)
      .where('d.path', '=', path)
      .orderBy('d.import_id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row ? documentOf(row) : null
  }

  /** Those with these paths. */
  async among(safeId: string, paths: readonly string[]): Promise<StoredDocument[]> {
    const rows = await newestDocuments(this.db, safeId)
      .where(isAmong(this.db, safeId, 'd.path', paths))
      .execute()
    return rows.map(documentOf)
  }

  /** The rows of the passages of some documents, of every layer; an index knows which are visible. */
  async *rows(safeId: string, wanted: DocumentSet): AsyncGenerator<RowRange[]> {
    let last = { path: '', importId: 0, id: 0 }
    for (;;) {
      const documents = this.db
        .selectFrom('documents as d')
        .where('d.safe_id', '=', safeId)
        .where(isOneOf(wanted))
        .where(sql<SqlBool>`(d.path, d.import_id, d.id) > (${last.path}, ${last.importId}, ${last.id})`)
        .orderBy('d.path')
        .orderBy('d.import_id')
        .orderBy('d.id')
        .limit(ROWS_AT_ONCE)
        .select(['d.safe_id', 'd.path', 'd.import_id', 'd.id'])
      const rows = await this.db
        .selectFrom(documents.as('d'))
        .leftJoin(
          'passages as p',
          on({ 'p.safe_id': 'd.safe_id', 'p.import_id': 'd.import_id', 'p.document_id': 'd.id' }),
        )
        .groupBy(['d.path', 'd.import_id', 'd.id'])
        .orderBy('d.path')
        .orderBy('d.import_id')
        .orderBy('d.id')
        .select(['d.path', 'd.import_id as importId', 'd.id'])
        .select(eb => [
          eb.fn.min('p.id').as('from'),
          eb.fn.max('p.id').as('to'),
          eb.fn.count('p.id').as('count'),
        ])
        .execute()
      const ranges: RowRange[] = []
      for (const { importId, id, from, to, count } of rows) {
        const range = { importId: Number(importId), from: Number(from), to: Number(to) }
        if (Number(count) === 0) continue
        if (range.to - range.from + 1 === Number(count)) ranges.push(range)
        else ranges.push(...(await this.#scattered(safeId, range.importId, id)))
      }
      yield ranges
      const end = rows.at(-1)
      if (!end || rows.length < ROWS_AT_ONCE) return
      last = { path: end.path, importId: Number(end.importId), id: end.id }
    }
  }

  /** Passages of a document that may have others between them. */
  async #scattered(safeId: string, importId: number, id: number): Promise<RowRange[]> {
    const passages = await selectWhere(this.db, 'passages', {
      safe_id: safeId,
      import_id: importId,
      document_id: id,
    })
      .orderBy('id')
      .select('id')
      .execute()
    return rangesOf(passages.map(({ id }) => id)).map(([from, to]) => ({ importId, from, to }))
  }

  /** The newest picture with this path. */
  async image(safeId: string, path: string): Promise<StoredDocument | null> {
    const row = await visibleFiles(this.db, safeId)
      .where(eb => eb.and({ 'd.path': path, 'd.kind': 'image' }))
      .orderBy('d.import_id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row ? documentOf(row) : null
  }

  /** The paths in this list that documents and pictures have. */
  withPaths = (safeId: string, paths: readonly string[]) => this.#pathsAmong(safeId, 'd.path', paths)

  /** The paths of documents and pictures whose file has one of these names, as keys. */
  withNames = (safeId: string, names: readonly string[]) => this.#pathsAmong(safeId, 'd.name_key', names)

  /** The documents with an address that ends with one of these names, as keys, and the address. */
  async withAddresses(
    safeId: string,
    names: readonly string[],
  ): Promise<{ path: string; address: string }[]> {
    const rows = await visibleAddresses(this.db, safeId)
      .where(isAmong(this.db, safeId, 'd.name_key', names))
      .clearSelect()
      .select(['d.path', 'd.title'])
      .orderBy('d.path')
      .limit(MAX_NAMED)
      .execute()
    return rows.map(({ path, title }) => ({ path: title, address: path.slice(title.length + 2) }))
  }

  async #pathsAmong(
    safeId: string,
    column: 'd.path' | 'd.name_key',
    values: readonly string[],
  ): Promise<string[]> {
    const rows = await visibleFiles(this.db, safeId)
      .where(isAmong(this.db, safeId, column, values))
      .clearSelect()
      .select('d.path')
      .orderBy(column)
      .limit(MAX_NAMED)
      .execute()
    return [...new Set(rows.map(({ path }) => path))].sort()
  }

  /** Its passages, in their order. */
  passages(
    safeId: string,
    { importId, id }: Pick<StoredDocument, 'importId' | 'id'>,
  ): Promise<DocumentPassage[]> {
    return selectWhere(this.db, 'passages', { safe_id: safeId, import_id: importId, document_id: id })
      .orderBy('id')
      .limit(MAX_PASSAGES)
      .select(['id', 'line', 'entity_key as entityKey', 'title', 'text'])
      .execute()
  }

  /** The place of a passage: the path of its document (null: none), and the thing that it is about. */
  async placeOf(
    safeId: string,
    { importId, id }: RowRef,
  ): Promise<{ path: string | null; entityKey: string } | null> {
    const passage = await tables.find(this.db, 'passages', { safe_id: safeId, import_id: importId, id }, [
      'document_id',
      'entity_key as entityKey',
    ])
    if (!passage) return null
    const document = await this.#visible(safeId)
      .where(eb => eb.and({ 'd.import_id': importId, 'd.id': passage.document_id ?? -1 }))
      .executeTakeFirst()
    return { path: document?.path ?? null, entityKey: passage.entityKey }
  }

  /** The bytes of its text. */
  async bytes(safeId: string, { importId, id }: Pick<StoredDocument, 'importId' | 'id'>): Promise<Buffer> {
    const rows = await selectWhere(this.db, 'document_texts', {
      safe_id: safeId,
      import_id: importId,
      document_id: id,
    })
      .orderBy('part')
      .limit(MAX_PARTS)
      .select('bytes')
      .execute()
    return Buffer.concat(rows.map(({ bytes }) => inflateRawSync(bytes)))
  }

  /** The number of paths, counted one part at a time, so that others get their turn. */
  async count(safeId: string): Promise<number> {
    for (let [count, last] = [0, '']; ; ) {
      const paths = this.#visible(safeId).clearSelect().select('d.path').where('d.path', '>', last)
      const page = await this.db
        .selectFrom(paths.orderBy('d.path').limit(COUNTED_AT_ONCE).as('d'))
        .select(eb => [eb.fn.count('d.path').distinct().as('count'), eb.fn.max('d.path').as('last')])
        .executeTakeFirst()
      if (!page?.last) return count
      count += Number(page.count)
      last = page.last
      await otherRequests()
    }
  }

  #visible = (safeId: string) => visibleDocuments(this.db, safeId)
}

/** Documents with one path, those below a folder, or those with one of these tags. */
export type DocumentSet = { path: string } | { folder: string } | { tags: readonly string[] }

function isOneOf(wanted: DocumentSet) {
  if ('path' in wanted) return sql<SqlBool>`d.path = ${wanted.path}`
  if ('folder' in wanted) return sql<SqlBool>`d.path >= ${wanted.folder} and d.path < ${endOf(wanted.folder)}`
  const parts = wanted.tags
    .slice(0, MAX_TAGS)
    .map(tag => sql`d.tags_json like ${`%${escapeLike(JSON.stringify(tag))}%`} escape '\\'`)
  return sql<SqlBool>`(${sql.join(parts, sql` or `)})`
}

/** Documents whose rows are read at once, documents counted at once, tags of one entry. */
const ROWS_AT_ONCE = 500
const COUNTED_AT_ONCE = 2_000
const MAX_TAGS = 50
const MAX_NAMED = 2_000
const MAX_PARTS = 1_000
