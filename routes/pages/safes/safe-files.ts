import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { proposalsTexts } from '../../../views/texts/proposals.js'
import { cut, pageLinks, readPage } from '../list.js'
import { readableSafe, type SafeRequest } from '../own-safe.js'
import { ImportNumber, SafeParams, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { importRow, undoneRow } from './files-view.js'
import { withoutReview } from './import-state.js'
import { safeHead } from './safe-head.js'
import { folderRow, unread } from './synced-folders.js'
import { uploadForm } from './upload-form.js'

interface FilesContent {
  /** Imports older than this one. */
  before?: string
  /** Also the runs of folders. */
  runs?: '1'
  error?: string
}

/** Imports per page. */
const IMPORTS_PAGE = 50
/** Undone imports shown. The command line lists all of them. */
const UNDONE_SHOWN = 50
const PROPOSALS_COUNTED = 10

const FilesQuery = Type.Object({
  before: Type.Optional(ImportNumber()),
  runs: Type.Optional(Type.Literal('1')),
})

/** The files of a Safe: adding them, and their results. */
export default async function safeFilesPage(app: TypedApp) {
  app.get(
    '/safes/:safeId/files',
    { schema: { params: SafeParams, querystring: FilesQuery } },
    async (request, reply) => showFiles(request, await readableSafe(request), reply, request.query),
  )
}

/** Shows the files of a Safe; after a refused upload or a refused change of an import, with the reason. */
export async function showFiles(
  request: SafeRequest,
  safe: ReadableSafe,
  reply: FastifyReply,
  { before, runs, error }: FilesContent,
) {
  const { safes } = request.server
  const accountId = accountOf(request).id
  const head = safeHead(safe, 'documents')
  const list = await readPage(IMPORTS_PAGE, before === undefined ? undefined : Number(before), page =>
    safes.imports.list(accountId, safe.id, { ...page, withoutRuns: !runs }),
  )
  const imports = list.items.map(withoutReview)
  const kept = before ? [] : await request.server.keptFolders.list(safe.id)
  const synced = before ? [] : await safes.folders.list(accountId, safe.id)
  const folders = [
    ...synced,
    ...kept.filter(({ name }) => !synced.some(one => one.name === name)).map(unread),
  ]
  const undone = before ? [] : await safes.imports.undone(accountId, safe.id, { limit: UNDONE_SHOWN })
  return reply.page('safe-files', {
    here: 'safes',
    head,
    upload: head.isOwn ? uploadForm(safes, head.path) : null,
    folders: folders.map(item =>
      folderRow(
        item,
        head.path,
        head.isOwn,
        kept.find(({ name }) => name === item.name),
      ),
    ),
    choices: head.isOwn ? await request.server.keptFolders.offered(accountId) : [],
    imports: imports.map(item => importRow(item, head.isOwn)),
    ...pageLinks(`${head.path}/files`, list, before, ({ id }) => ({ before: id }), { runs }),
    runs: folders.length > 0 && !runs ? `${head.path}/files?runs=1` : null,
    proposals: head.isOwn ? await waitingProposals(request, accountId) : null,
    undone: undone.map(item => undoneRow(item, head.isOwn)),
    isBusy: imports.some(({ status }) => status === 'staging'),
    error,
  })
}

async function waitingProposals({ server, params: { safeId } }: SafeRequest, ownerId: string) {
  const { items, hasMore } = cut(
    await server.proposals.pending(ownerId, safeId, { limit: PROPOSALS_COUNTED + 1 }),
    PROPOSALS_COUNTED,
  )
  if (items.length === 0) return null
  return { href: `/safes/${safeId}/proposals`, label: proposalsTexts.waiting(items.length, hasMore) }
}
