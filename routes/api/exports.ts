import { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import type { TypedApp } from '../pages/params.js'
import { accessOf } from './access.js'
import { SafeParams } from './schemas.js'

const ExportQuery = Type.Object({
  format: Type.Optional(
    Type.String({
      maxLength: 20,
      default: 'jsonl',
      description: 'markdown (a zip archive of the documents), jsonl, ntriples or csv.',
    }),
  ),
})

/** Streams a Safe as a file, for every member. */
export default async function exportRoutes(app: TypedApp) {
  app.get(
    '/safes/:safe/export',
    {
      // A HEAD request would read the whole Safe for nothing.
      exposeHeadRoute: false,
      schema: { summary: 'Export a Safe as a file', params: SafeParams, querystring: ExportQuery },
      config: { answers: { 200: Type.String({ description: 'The file.' }) } },
    },
    async (request, reply) => {
      const { accountId, connectionId } = accessOf(request)
      const { format = 'jsonl' } = request.query
      const file = await app.safes.export(accountId, request.params.safe, format, connectionId)
      // The name consists of letters, digits, dashes and a dot, so it needs no quoting (RFC 6266 §4.1).
      return reply
        .header('Content-Type', file.contentType)
        .header('Content-Disposition', `attachment; filename="${file.fileName}"`)
        .header('X-Content-Type-Options', 'nosniff')
        .send(Readable.from(file.chunks, { objectMode: false, highWaterMark: 65_536 }))
    },
  )
}
