import multipart from '@fastify/multipart'
import type { FastifyReply } from 'fastify'
import type { Import, ReadableSafe } from '../../../domain/safes/safe.js'
import { FILE_BYTES } from '../../../domain/safes/uploads/uploads.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { pathOf } from '../../../platform/common/path.js'
import { importsTexts } from '../../../views/texts/imports.js'
import { ownSafe, type SafeRequest } from '../own-safe.js'
import { SafeParams, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { showFiles } from './safe-files.js'
import { safeHead } from './safe-head.js'
import { openUploads, type Receive, type ReceivedForm } from './upload.js'
import { MAX_FILES, uploadForm } from './upload-form.js'
import type { UploadedFile } from './uploaded-file.js'

/** Uploading files. Each becomes an import, which the owner reviews. */
export default async function uploadPages(app: TypedApp) {
  await app.register(multipart, {
    limits: { fileSize: FILE_BYTES, files: MAX_FILES, fields: 10, fieldSize: 1000, parts: MAX_FILES + 10 },
  })
  const receive = await openUploads(app.config.dataDir, err =>
    app.log.error({ err }, 'room of an upload was not given back'),
  )

  app.get('/safes/:safeId/import', { schema: { params: SafeParams } }, async (request, reply) =>
    showForm(request, await ownSafe(request), reply),
  )
  app.post(
    '/safes/:safeId/import',
    { schema: { params: SafeParams }, config: { checksCsrfItself: true } },
    (request, reply) => upload(request, reply, receive),
  )
}

/** Some files of an upload may be refused while others are read, so there are two pages to show again. */
async function upload(request: SafeRequest, reply: FastifyReply, receive: Receive) {
  const safe = await ownSafe(request)
  const { begun, refused, status } = await startAll(request, await received(request, receive))
  const error = [...refused].join(' ') || (begun.length === 0 ? importsTexts.noFile : undefined)
  if (error && begun.length > 0) return showFiles(request, safe, reply.code(status), { error })
  if (error) return showForm(request, safe, reply.code(status), error)
  const [one, ...others] = begun
  const path = `/safes/${safe.id}`
  return reply.redirect(others.length > 0 ? `${path}/files` : `${path}/imports/${one?.id}`, 303)
}

function received(request: SafeRequest, receive: Receive): Promise<ReceivedForm> {
  const { server } = request
  const owner = { accountId: accountOf(request).id, safeId: request.params.safeId }
  return server.uploadsAtOnce.run(owner.accountId, () => {
    server.allowSlowBody(request)
    return receive(request, {
      check: token => request.checkCsrf(pathOf(request.url), token ?? null),
      reserve: (name, bytes) => server.uploads.hold({ ...owner, name, bytes }),
    })
  })
}

/** Starts an import for each file. Files of an unknown format, or too many files, do not prevent the others from being read. */
async function startAll(request: SafeRequest, { fields, files }: ReceivedForm) {
  const begun: Import[] = []
  const refused = new Set<string>()
  let status = 400
  const waiting = [...files]
  try {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      try {
        begun.push(await start(request, fields, file))
      } catch (error) {
        await file.discard()
        if (!(error instanceof DomainError) || (error.status !== 400 && error.status !== 429)) throw error
        refused.add(error.message)
        if (error.status === 429) status = 429
      }
    }
  } catch (error) {
    for (const file of waiting) await file.discard()
    throw error
  }
  return { begun, refused, status }
}

function start(request: SafeRequest, fields: Map<string, string>, file: UploadedFile) {
  const format = fields.get('format')
  const nameColumn = fields.get('name_column')?.trim()
  return request.server.safes.imports.start(accountOf(request).id, request.params.safeId, {
    source: file.fileName,
    ...(format ? { format } : {}),
    ...(nameColumn ? { nameColumn } : {}),
    bytes: file.open(),
    bytesTotal: file.bytesTotal,
    skipBad: fields.has('skip_bad'),
    commit: false,
  })
}

async function showForm({ server }: SafeRequest, safe: ReadableSafe, reply: FastifyReply, error?: string) {
  const head = safeHead(safe, 'documents', false)
  return reply.page('import-new', {
    here: 'safes',
    head,
    upload: uploadForm(server.safes, head.path),
    error,
  })
}
