import multipart from '@fastify/multipart'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, notFound } from '../../common/domain-error.js'
import { pathOf } from '../../common/path.js'
import { messages } from '../../messages.js'
import type { Page } from '../../plugins/views.js'
import { importPage } from './import-page.js'
import { accountOf } from './signed-in.js'
import { openUploads, type Upload } from './upload.js'

declare module '../../plugins/views.js' {
  interface Pages {
    'import-new': NewImportPage
  }
}

interface NewImportPage extends Page {
  safeName: string
  safePath: string
  action: string
  formats: { id: string; label: string }[]
}

/** Concurrent uploads per account; one may take minutes. */
const UPLOADS_PER_ACCOUNT = 2
/** Largest upload, in bytes. */
const FILE_BYTES = 512 * 1024 * 1024

const SafeParams = Type.Object({ safeId: Type.String() })
const ImportParams = Type.Object({
  safeId: Type.String(),
  importId: Type.String(),
})

/** Uploading a file, previewing what it adds, committing or discarding it, and undoing it. */
export default async function importPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  await root.register(multipart, {
    limits: { fileSize: FILE_BYTES, files: 1, fields: 10, fieldSize: 1000, parts: 11 },
  })
  const receive = await openUploads(app.config.dataDir)
  const uploads = new AtOnce(UPLOADS_PER_ACCOUNT)

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
      const upload = await uploads.run(accountId, () => {
        app.allowSlowBody(request)
        return receive(request, token => request.checkCsrf(pathOf(request.url), token ?? null))
      })
      try {
        const begun = await start(accountId, safeId, upload)
        return reply.redirect(`/safes/${safeId}/imports/${begun.id}`, 303)
      } catch (error) {
        await upload?.discard()
        if (!(error instanceof DomainError) || error.status !== 400) throw error
        return showForm(app, request, reply.code(400), safeId, error.message)
      }
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

  app.post(
    '/safes/:safeId/imports/:importId/undo',
    { schema: { params: ImportParams } },
    async (request, reply) => {
      const { safeId, importId } = request.params
      await app.safes.undoImport(accountOf(request).id, safeId, numberOf(importId))
      return reply.redirect(`/safes/${safeId}`, 303)
    },
  )

  function start(accountId: string, safeId: string, upload: Upload | null) {
    if (!upload) throw new DomainError(400, 'no_file', messages.imports.noFile)
    const { fields, fileName: source, bytesTotal } = upload
    const format = fields.get('format')
    return app.safes.startImport(accountId, safeId, {
      source,
      ...(format ? { format } : {}),
      bytes: upload.open(),
      bytesTotal,
      skipBad: fields.has('skip_bad'),
      commit: false,
    })
  }
}

/** Limits concurrent work per account. */
class AtOnce {
  readonly #limit: number
  readonly #running = new Map<string, number>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** @throws DomainError 429 */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(accountId) ?? 0
    if (running >= this.#limit) throw new DomainError(429, 'too_many_uploads', messages.imports.tooMany, 10)
    this.#running.set(accountId, running + 1)
    try {
      return await work()
    } finally {
      const left = (this.#running.get(accountId) ?? 1) - 1
      if (left === 0) this.#running.delete(accountId)
      else this.#running.set(accountId, left)
    }
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
  const safe = await ownSafe(app, request, safeId)
  const safePath = `/safes/${safeId}`
  const formats = app.safes.importFormats.map(({ id, title, extensions }) => {
    const suffixes = extensions.map(extension => `.${extension}`)
    return { id, label: `${title} (${suffixes.join(', ')})` }
  })
  return reply.page('import-new', {
    here: 'safes',
    safeName: safe.name,
    safePath,
    action: `${safePath}/import`,
    formats,
    error,
  })
}

async function ownSafe(app: FastifyInstance, request: FastifyRequest, safeId: string) {
  const safe = await app.safes.find(accountOf(request).id, safeId)
  if (safe?.role !== 'owner') throw notFound('Safe')
  return safe
}
