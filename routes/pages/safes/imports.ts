import multipart from '@fastify/multipart'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, notFound } from '../../../common/domain-error.js'
import { pathOf } from '../../../common/path.js'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import type { Import } from '../../../safes/safe.js'
import { FILE_BYTES } from '../../../safes/uploads/uploads.js'
import { ownSafe } from '../own-safe.js'
import { accountOf } from '../signed-in.js'
import { importPage } from './import-page.js'
import { undoPage } from './import-undo.js'
import { showFiles } from './safe-files.js'
import { type SafeHead, safeHead } from './safe-head.js'
import { openUploads, type Upload, type UploadedFile } from './upload.js'
import { MAX_FILES, type UploadForm, uploadForm } from './upload-form.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    'import-new': NewImportPage
  }
}

interface NewImportPage extends Page {
  head: SafeHead
  upload: UploadForm
}

const SafeParams = Type.Object({ safeId: Type.String() })
const ImportParams = Type.Object({
  safeId: Type.String(),
  importId: Type.String(),
})

/** Uploading a file, previewing what it adds, committing or discarding it, and undoing it. */
export default async function importPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  await root.register(multipart, {
    limits: { fileSize: FILE_BYTES, files: MAX_FILES, fields: 10, fieldSize: 1000, parts: MAX_FILES + 10 },
  })
  const receive = await openUploads(app.config.dataDir, err =>
    app.log.error({ err }, 'room of an upload was not given back'),
  )

  app.get('/safes/:safeId/import', { schema: { params: SafeParams } }, (request, reply) =>
    showForm(app, request, reply, request.params.safeId),
  )

  app.post(
    '/safes/:safeId/import',
    { schema: { params: SafeParams }, config: { checksCsrfItself: true } },
    async (request, reply) => {
      const { safeId } = request.params
      const accountId = accountOf(request).id
      await ownSafe(app, request, safeId)
      const upload = await app.uploadsAtOnce.run(accountId, () => {
        app.allowSlowBody(request)
        return receive(request, {
          check: token => request.checkCsrf(pathOf(request.url), token ?? null),
          reserve: (name, bytes) => app.uploads.hold({ accountId, safeId, name, bytes }),
        })
      })
      const { begun, refused, status } = await startAll(accountId, safeId, upload)
      const error = [...refused].join(' ') || (begun.length === 0 ? messages.imports.noFile : undefined)
      if (error && begun.length > 0) return showFiles(app, request, reply.code(status), safeId, { error })
      if (error) return showForm(app, request, reply.code(status), safeId, error)
      const [one, ...others] = begun
      const path = `/safes/${safeId}`
      return reply.redirect(others.length > 0 ? `${path}/files` : `${path}/imports/${one?.id}`, 303)
    },
  )

  app.get(
    '/safes/:safeId/imports/:importId',
    { schema: { params: ImportParams } },
    async (request, reply) => {
      const { safeId } = request.params
      const safe = await ownSafe(app, request, safeId)
      const item = await app.safes.findImport(
        accountOf(request).id,
        safeId,
        numberOf(request.params.importId),
      )
      if (!item) throw notFound('import')
      return reply.page('import', importPage(safe, item))
    },
  )

  app.post(
    '/safes/:safeId/imports/:importId/commit',
    { schema: { params: ImportParams } },
    async (request, reply) => {
      const { safeId, importId } = request.params
      await app.safes.commitImport(accountOf(request).id, safeId, numberOf(importId))
      return reply.redirect(`/safes/${safeId}/imports/${importId}`, 303)
    },
  )

  app.get(
    '/safes/:safeId/imports/:importId/undo',
    { schema: { params: ImportParams } },
    async (request, reply) => {
      const { safeId, importId } = request.params
      const safe = await ownSafe(app, request, safeId)
      const item = await app.safes.findImport(accountOf(request).id, safeId, numberOf(importId))
      if (!item) throw notFound('import')
      return reply.page('import-undo', undoPage(safe, item))
    },
  )

  app.post(
    '/safes/:safeId/imports/:importId/undo',
    { schema: { params: ImportParams } },
    async (request, reply) => {
      const { safeId, importId } = request.params
      await app.safes.undoImport(accountOf(request).id, safeId, numberOf(importId))
      return reply.redirect(`/safes/${safeId}/files`, 303)
    },
  )

  app.post(
    '/safes/:safeId/imports/:importId/restore',
    { schema: { params: ImportParams } },
    async (request, reply) => {
      const { safeId, importId } = request.params
      try {
        await app.safes.restoreImport(accountOf(request).id, safeId, numberOf(importId))
      } catch (error) {
        if (!(error instanceof DomainError) || error.status !== 409) throw error
        return showFiles(app, request, reply.code(409), safeId, { error: error.message })
      }
      return reply.redirect(`/safes/${safeId}/files`, 303)
    },
  )

  /** Starts an import for each file. One of an unknown format, or too many of them, do not keep the others from being read. */
  async function startAll(accountId: string, safeId: string, { fields, files }: Upload) {
    const begun: Import[] = []
    const refused = new Set<string>()
    let status = 400
    const waiting = [...files]
    try {
      for (let file = waiting.shift(); file; file = waiting.shift()) {
        try {
          begun.push(await start(accountId, safeId, fields, file))
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

  function start(accountId: string, safeId: string, fields: Map<string, string>, file: UploadedFile) {
    const format = fields.get('format')
    return app.safes.startImport(accountId, safeId, {
      source: file.fileName,
      ...(format ? { format } : {}),
      bytes: file.open(),
      bytesTotal: file.bytesTotal,
      skipBad: fields.has('skip_bad'),
      commit: false,
    })
  }
}

/** @throws notFound when this cannot be an import's number */
function numberOf(importId: string): number {
  if (!/^[1-9]\d{0,8}$/.test(importId)) throw notFound('import')
  return Number(importId)
}

async function showForm(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  safeId: string,
  error?: string,
) {
  const head = safeHead(await ownSafe(app, request, safeId), 'files', false)
  const upload = uploadForm(app.safes, head.path)
  return reply.page('import-new', { here: 'safes', head, upload, error })
}
