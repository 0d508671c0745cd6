import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { showNumber } from '../../../platform/common/format.js'
import type { Page } from '../../../plugins/views.js'
import { documentsTexts } from '../../../views/texts/documents.js'
import { cut, pageLinks, pathWith } from '../list.js'
import { readableSafe } from '../own-safe.js'
import { KeyField, type RequestOf, SafeParams, TextField, type TypedApp } from '../params.js'
import { type SafeHead, safeHead } from '../safes/safe-head.js'
import { accountOf } from '../signed-in.js'
import { listOf } from './document-list.js'
import { crumbs, documentsPath } from './document-path.js'
import { type DocumentRow, documentRow } from './document-row.js'
import { renderAhead } from './render-ahead.js'

interface DocumentsPage extends Page {
  head: SafeHead
  title: string
  crumbs: { name: string; href: string }[]
  /** What was searched for. */
  q: string
  /** The same documents, the newest first; null where they are listed so. */
  byDate: string | null
  /** At the top: the most frequent tags. */
  tags: { tag: string; href: string; count: string }[]
  /** Back to all documents, if only some are listed. */
  all: string | null
  rows: DocumentRow[]
  more: string | null
  first: string | null
  /** For owners. */
  write: string | null
}

const ROWS = 50
const TAGS = 12
/** In a Safe with more documents, counting their tags would take longer than a page may. */
const MAX_FOR_TAGS = 10_000

const Listed = {
  params: SafeParams,
  querystring: Type.Object({
    folder: Type.Optional(KeyField()),
    q: Type.Optional(TextField(200)),
    tag: Type.Optional(TextField(200)),
    /** The newest first, in all folders. */
    sort: Type.Optional(Type.Literal('date')),
    after: Type.Optional(KeyField()),
  }),
}

/** The documents of a Safe: folder by folder, by date, or those with certain words or a tag. */
export default async function documentsPages(app: TypedApp) {
  app.get('/safes/:safeId/documents', { schema: Listed }, showDocuments)
}

async function showDocuments(request: RequestOf<typeof Listed>, reply: FastifyReply) {
  const safe = await readableSafe(request)
  const { after, ...wanted } = request.query
  const { documents } = request.server.safes
  const list = listOf(wanted, { documents, accountId: accountOf(request).id, safeId: safe.id })
  const page = cut(await list.read({ after: after ?? '', limit: ROWS + 1 }), ROWS)
  const { title, kind, folder, query } = list
  const listed = page.items.flatMap(entry => ('document' in entry ? entry.document : []))
  renderAhead(request, reply, safe.id, listed)
  const head = safeHead(safe, 'documents')
  const here = documentsPath(head.path)
  const isTop = kind === 'folder' && folder === ''
  return reply.page<DocumentsPage>('documents', {
    here: 'safes',
    head,
    title,
    crumbs: folder === '' ? [] : crumbs(head.path, parentOf(folder), documentsTexts.title),
    q: query.q ?? '',
    byDate: isTop && page.items.length > 0 ? pathWith(here, { sort: 'date' }) : null,
    tags: isTop && safe.counts.documents <= MAX_FOR_TAGS ? await tagsOf(request, head.path) : [],
    all: isTop ? null : here,
    rows: page.items.map(entry => documentRow(head.path, entry, kind !== 'folder')),
    ...pageLinks(here, page, after, last => ({ after: list.endOf(last) }), query),
    write: head.isOwn ? `${head.path}/notes/new` : null,
  })
}

async function tagsOf(request: RequestOf<typeof Listed>, safePath: string) {
  const { documents } = request.server.safes
  const tags = await documents.tags(accountOf(request).id, request.params.safeId)
  return tags.slice(0, TAGS).map(({ tag, documents }) => ({
    tag,
    href: documentsPath(safePath, { tag }),
    count: showNumber(documents),
  }))
}

const parentOf = (folder: string) => folder.slice(0, folder.slice(0, -1).lastIndexOf('/') + 1)
