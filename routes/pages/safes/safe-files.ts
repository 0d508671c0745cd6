import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../../common/domain-error.js'
import { showTime } from '../../../common/format.js'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import type { Import, UndoneImport } from '../../../safes/safe.js'
import { cut, pathWith } from '../list.js'
import { accountOf } from '../signed-in.js'
import { countsOf } from './counts.js'
import { addedPath, type ImportProgress, progressOf, stateOf } from './import-page.js'
import { runCountsOf } from './run-counts.js'
import { type SafeHead, safeHead } from './safe-head.js'
import { type FolderRow, folderRow } from './synced-folders.js'
import { type UploadForm, uploadForm } from './upload-form.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    'safe-files': FilesPage
  }
}

interface FilesPage extends Page {
  head: SafeHead
  /** Null for readers. */
  upload: UploadForm | null
  /** Synced folders, on the first page. */
  folders: FolderRow[]
  imports: ImportRow[]
  /** Links to the next page of imports and to the first one. */
  more: string | null
  first: string | null
  /** Proposals that wait for review. */
  proposals: { href: string; label: string } | null
  /** Undone imports that can be restored, on the first page. */
  undone: UndoneRow[]
  /** A file on this page is being read. */
  isBusy: boolean
}

interface ImportRow {
  id: number
  source: string
  href: string | null
  state: string
  /** "notes.zip: Ready to review", announced when the state changes. */
  announced: string
  /** The colour of its state. */
  tag: 'good' | 'bad' | 'warn'
  summary: string
  /** The things that it added. */
  added: string | null
  progress: ImportProgress | null
  /** A link to a page that asks first. */
  ask: RowAction | null
  /** A button that acts at once. */
  act: RowAction | null
}

interface UndoneRow {
  source: string
  summary: string
  until: string
  /** Null for readers. */
  restore: RowAction | null
}

interface RowAction {
  path: string
  label: string
}

/** Imports per page. */
const IMPORTS_PAGE = 50
/** Undone imports shown. The command line lists all of them. */
const UNDONE_SHOWN = 50
const PROPOSALS_COUNTED = 10

const SafeParams = Type.Object({ safeId: Type.String() })
const FilesQuery = Type.Object({
  /** Imports older than this one. */
  before: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,8}$' })),
})

/** The files of a Safe: adding them, and what became of them. */
export default async function safeFilesPage(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get(
    '/safes/:safeId/files',
    { schema: { params: SafeParams, querystring: FilesQuery } },
    (request, reply) => showFiles(app, request, reply, request.params.safeId, request.query),
  )
}

export async function showFiles(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  safeId: string,
  { before, error }: { before?: string; error?: string } = {},
) {
  const { id } = accountOf(request)
  const safe = await app.safes.find(id, safeId)
  if (!safe) throw notFound('Safe')
  const head = safeHead(safe, 'files')
  const path = `${head.path}/files`
  const listed = { limit: IMPORTS_PAGE + 1, withoutRuns: true, ...(before ? { after: Number(before) } : {}) }
  const { items, hasMore } = cut(await app.safes.imports(id, safeId, listed), IMPORTS_PAGE)
  const folders = before ? [] : await app.safes.syncedFolders(id, safeId)
  const undone = before ? [] : await app.safes.undoneImports(id, safeId, { limit: UNDONE_SHOWN })
  return reply.page('safe-files', {
    here: 'safes',
    head,
    upload: head.isOwn ? uploadForm(app.safes, head.path) : null,
    folders: folders.map(item => folderRow(item, head.path, head.isOwn)),
    imports: items.map(item => importRow(item, head.isOwn)),
    more: hasMore ? pathWith(path, { before: items.at(-1)?.id }) : null,
    first: before ? path : null,
    proposals: head.isOwn ? await waitingProposals(app, id, safeId) : null,
    undone: undone.map(item => undoneRow(item, head.isOwn)),
    isBusy: items.some(({ status }) => status === 'staging'),
    error,
  })
}

async function waitingProposals(app: FastifyInstance, ownerId: string, safeId: string) {
  const { items, hasMore } = cut(
    await app.proposals.pending(ownerId, safeId, { limit: PROPOSALS_COUNTED + 1 }),
    PROPOSALS_COUNTED,
  )
  if (items.length === 0) return null
  return { href: `/safes/${safeId}/proposals`, label: messages.proposals.waiting(items.length, hasMore) }
}

function importRow(item: Import, isOwn: boolean): ImportRow {
  const path = `/safes/${item.safeId}/imports/${item.id}`
  const { relations, passages } = messages.safes
  const counts = `${relations(item.counts.relations)}, ${passages(item.counts.passages)}`
  return {
    id: item.id,
    source: item.source,
    href: isOwn ? path : null,
    state: messages.imports.states[item.status],
    announced: stateOf(item),
    tag: item.status === 'committed' ? 'good' : item.status === 'failed' ? 'bad' : 'warn',
    summary: `${counts} · ${showTime(item.createdAt)}`,
    added: addedPath(`/safes/${item.safeId}`, item),
    progress: progressOf(item),
    ...(isOwn ? actionsOf(item, path) : { ask: null, act: null }),
  }
}

function undoneRow(item: UndoneImport, isOwn: boolean): UndoneRow {
  const { safeId, id, source, counts, sync, restorableUntil } = item
  const { restore, restorable } = messages.files
  const path = `/safes/${safeId}/imports/${id}/restore`
  return {
    source,
    summary: (sync ? runCountsOf(sync) : countsOf(counts)).join(', '),
    until: restorable(showTime(restorableUntil)),
    restore: isOwn ? { path, label: restore } : null,
  }
}

/** What was added, or could still be added, is asked about first. */
function actionsOf({ status, merged }: Import, path: string): Pick<ImportRow, 'ask' | 'act'> {
  const { stop, remove, discard, undo } = messages.files
  const undoPath = `${path}/undo`
  if (status === 'staging') return { ask: null, act: { path: undoPath, label: stop } }
  if (status === 'failed') return { ask: null, act: { path: undoPath, label: remove } }
  if (merged) return { ask: null, act: null }
  return { ask: { path: undoPath, label: status === 'staged' ? discard : undo }, act: null }
}
