import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import type { FolderEntry } from '../../../safes/documents/documents.js'
import { cut, pageLinks, pathWith } from '../list.js'
import { readableSafe } from '../own-safe.js'
import { KeyField, type RequestOf, SafeParams, TextField } from '../params.js'
import { type SafeHead, safeHead } from '../safes/safe-head.js'
import { accountOf } from '../signed-in.js'
import { crumbs, documentsPath } from './document-path.js'
import { type DocumentRow, documentRow } from './document-row.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    documents: DocumentsPage
  }
}

interface DocumentsPage extends Page {
  head: SafeHead
  title: string
  crumbs: { name: string; href: string }[]
  /** What was searched for. */
  q: string
  /** Back to all documents, if only some are listed. */
  all: string | null
  rows: DocumentRow[]
  more: string | null
  first: string | null
  /** For owners. */
  write: string | null
}

const ROWS = 50

const Listed = {
  params: SafeParams,
  querystring: Type.Object({
    folder: Type.Optional(KeyField()),
    q: Type.Optional(TextField(200)),
    tag: Type.Optional(TextField(200)),
    after: Type.Optional(KeyField()),
  }),
}

/** The documents of a Safe: folder by folder, or those with certain words or a tag. */
export default async function documentsPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  app.get('/safes/:safeId/documents', { schema: Listed }, showDocuments)
}

async function showDocuments(request: RequestOf<typeof Listed>, reply: FastifyReply) {
  const safe = await readableSafe(request)
  const { folder: asked = '', q = '', tag = '', after } = request.query
  const folder = asked === '' || asked.endsWith('/') ? asked : `${asked}/`
  const isSearch = q.trim() !== '' || tag !== ''
  const head = safeHead(safe, 'documents')
  const page = cut(await entries(request, folder, after ?? ''), ROWS)
  const rest = { ...(isSearch ? { q: q.trim(), tag } : {}), folder }
  const here = pathWith(documentsPath(head.path), rest)
  const links = pageLinks(here, page, after, last => ({ ...rest, after: endOf(last) }))
  return reply.page('documents', {
    here: 'safes',
    head,
    title: titleOf(folder, q.trim(), tag),
    crumbs: folder === '' ? [] : crumbs(head.path, parentOf(folder), messages.documents.title),
    q: q.trim(),
    all: isSearch || folder !== '' ? documentsPath(head.path) : null,
    rows: page.items.map(entry => documentRow(head.path, entry, isSearch)),
    more: links.more && pathWith(documentsPath(head.path), { ...rest, after: endOf(page.items.at(-1)) }),
    first: links.first,
    write: head.isOwn ? `${head.path}/notes/new` : null,
  })
}

/** One more than a page shows. */
async function entries(
  request: RequestOf<typeof Listed>,
  folder: string,
  after: string,
): Promise<FolderEntry[]> {
  const { documents } = request.server.safes
  const [accountId, { safeId }] = [accountOf(request).id, request.params]
  const { q = '', tag = '' } = request.query
  const words = q.trim().split(/\s+/).filter(Boolean)
  if (words.length === 0 && tag === '')
    return documents.folder(accountId, safeId, folder, { after, limit: ROWS + 1 })
  const asked = { words, ...(tag === '' ? {} : { tag }), folder, after, limit: ROWS + 1 }
  return (await documents.list(accountId, safeId, asked)).map(document => ({ document }))
}

function titleOf(folder: string, q: string, tag: string): string {
  const m = messages.documents
  if (tag !== '') return m.tagged(tag)
  if (q !== '') return m.found(q)
  return folder === '' ? m.title : (folder.split('/').at(-2) ?? '')
}

const parentOf = (folder: string) => folder.slice(0, folder.slice(0, -1).lastIndexOf('/') + 1)

/** Where the next page goes on: after a document, or after everything in a folder. */
const endOf = (entry: FolderEntry | undefined) =>
  entry === undefined ? '' : 'folder' in entry ? `${entry.folder.slice(0, -1)}0` : entry.document.path
