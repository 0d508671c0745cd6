import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { MAX_TILES } from '../../../engine/pictures/index.js'
import { showNumber } from '../../../platform/common/format.js'
import { documentsTexts } from '../../../views/texts/documents.js'
import { cut, pageLinks, pathWith } from '../list.js'
import { readableSafe } from '../own-safe.js'
import { KeyField, type RequestOf, SafeParams, TextField, type TypedApp } from '../params.js'
import { importRow } from '../safes/files-view.js'
import { withoutReview } from '../safes/import-state.js'
import { safeHead } from '../safes/safe-head.js'
import { accountOf } from '../signed-in.js'
import { listOf } from './document-list.js'
import { crumbs, documentsPath } from './document-path.js'
import { documentRow } from './document-row.js'
import { renderAhead } from './render-ahead.js'

const ROWS = 50
const TAGS = 12
/** Maximum documents of a Safe for counting their tags; more would take longer than a page may. */
const MAX_FOR_TAGS = 10_000
/** Latest imports that may still be reading. */
const IMPORTS = 20

const Listed = {
  params: SafeParams,
  querystring: Type.Object({
    folder: Type.Optional(KeyField()),
    q: Type.Optional(TextField(200)),
    tag: Type.Optional(TextField(200)),
    /** All documents, the latest or largest first. */
    sort: Type.Optional(Type.Union([Type.Literal('date'), Type.Literal('size'), Type.Literal('read')])),
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
  const { safes, activity } = request.server
  const { documents } = safes
  const { id: accountId } = accountOf(request)
  const reader = { documents, reads: activity.documents, accountId, safeId: safe.id }
  const list = listOf(wanted, reader)
  const page = cut(await list.read({ after: after ?? '', limit: ROWS + 1 }), ROWS)
  const { title, kind, folder, query } = list
  const listed = page.items.flatMap(entry => ('document' in entry ? entry.document : []))
  renderAhead(request, reply, safe.id, listed)
  const head = safeHead(safe, 'documents')
  const here = documentsPath(head.path)
  const isTop = kind === 'folder' && folder === ''
  const paths = listed.map(({ path }) => path)
  const sizes = kind === 'folder' ? await documents.sizes(accountId, safe.id, MAX_TILES) : null
  const known = {
    isSearch: kind !== 'folder',
    folders: sizes?.folders,
    reads: await activity.documents.latest(accountId, safe.id, ROWS, paths),
  }
  const imports = isTop ? await safes.imports.list(accountId, safe.id, { limit: IMPORTS }) : []
  const reading = imports.map(withoutReview).filter(({ status }) => status === 'staging')
  return reply.page('documents', {
    here: 'safes',
    head,
    isBusy: reading.length > 0,
    reading: reading.map(item => importRow(item, false)),
    title,
    crumbs: folder === '' ? [] : crumbs(head.path, parentOf(folder), documentsTexts.title),
    q: query.q ?? '',
    columns: columnsOf(here, kind),
    tags: isTop && safe.counts.documents <= MAX_FOR_TAGS ? await tagsOf(request, head.path) : [],
    all: isTop ? null : here,
    rows: page.items.map(entry => documentRow(head.path, entry, known)),
    ...pageLinks(here, page, after, last => ({ after: list.endOf(last) }), query),
    add: head.isOwn ? { files: `${head.path}/import`, write: `${head.path}/notes/new` } : null,
  })
}

const COLUMNS = ['date', 'size', 'read'] as const

const columnsOf = (here: string, sortedBy: string) =>
  COLUMNS.map(sort => ({
    label: documentsTexts.columns[sort],
    href: sort === sortedBy ? null : pathWith(here, { sort }),
    isNumber: sort === 'size',
  }))

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
