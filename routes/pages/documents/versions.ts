import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { difference } from '../../../engine/rendering/index.js'
import { flashTexts } from '../../../views/texts/flash.js'
import { formPage } from '../form-page.js'
import { ownSafe, readableSafe } from '../own-safe.js'
import { KeyField, type RequestOf, SafeParams, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { saysDone } from './undo.js'
import { versionsPage } from './versions-view.js'

const VersionNumber = () => Type.String({ pattern: '^[1-9][0-9]{0,15}$' })

/** Maximum characters of two versions that are compared. */
const MAX_COMPARED = 4_000_000

const OfDocument = {
  params: SafeParams,
  querystring: Type.Object({
    path: KeyField(),
    from: Type.Optional(VersionNumber()),
    to: Type.Optional(VersionNumber()),
  }),
}
const Restore = {
  params: SafeParams,
  body: Type.Object({ path: KeyField(), version: VersionNumber(), hash: TextField(100) }),
}

interface VersionsContent {
  path?: string
  from?: string | undefined
  to?: string | undefined
  error?: string
}

/** The versions of a document: the differences between two of them, and restoring one. */
export default async function versionPages(app: TypedApp) {
  const path = '/safes/:safeId/versions'
  app.get(path, { schema: OfDocument }, async (request, reply) =>
    showVersions(request, await readableSafe(request), reply, request.query),
  )
  app.post(
    `${path}/restore`,
    { schema: Restore },
    formPage({
      load: ownSafe,
      change: restore,
      show: showVersions,
      entered: ({ body }): VersionsContent => ({ path: body.path }),
    }),
  )
}

async function showVersions(
  request: RequestOf<typeof OfDocument> | RequestOf<typeof Restore>,
  safe: ReadableSafe,
  reply: FastifyReply,
  { path = '', from, to, error }: VersionsContent,
) {
  const { versions } = request.server.safes
  const { id: accountId } = accountOf(request)
  const list = await versions.list(accountId, safe.id, path)
  const newer = Number(to ?? list[0]?.id)
  // Of a removed document the last text is shown, as a difference to none.
  const isThere = list.some(({ isCurrent }) => isCurrent)
  const older = Number(from ?? (isThere ? (list[1]?.id ?? newer) : 0))
  const textOf = (id: number) => (id === 0 ? '' : versions.text(accountId, safe.id, path, id))
  const [before = '', after = ''] = await Promise.all([older, newer].map(textOf))
  const isShort = before.length + after.length <= MAX_COMPARED
  const differs = before === after ? [] : isShort ? difference(before, after) : null
  return reply.page('versions', {
    ...versionsPage(safe, path, list, { older, newer, differs }),
    error,
  })
}

async function restore(request: RequestOf<typeof Restore>, { id }: ReadableSafe, reply: FastifyReply) {
  const { path, version, hash } = request.body
  const written = await request.server.safes.versions.restore(accountOf(request).id, id, path, {
    id: Number(version),
    hash,
  })
  saysDone(reply, id, flashTexts.versionRestored, written)
  return documentAddress(`/safes/${id}`, path)
}
