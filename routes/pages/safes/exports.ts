import { Readable } from 'node:stream'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { TextField } from '../forms.js'
import { accountOf } from '../signed-in.js'

const SafeParams = Type.Object({ safeId: Type.String() })
const ExportQuery = Type.Object({ format: TextField(20) })

/** Downloads a Safe as a file, for every member. */
export default async function exportPages(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()

  app.get(
    '/safes/:safeId/export',
    // A HEAD request would read the whole Safe for nothing.
    { schema: { params: SafeParams, querystring: ExportQuery }, exposeHeadRoute: false },
    async (request, reply) => {
      const { safeId } = request.params
      const file = await app.safes.export(accountOf(request).id, safeId, request.query.format)
      // The name consists of letters, digits, dashes and a dot, so it needs no quoting (RFC 6266 §4.1).
      return reply
        .header('Content-Type', file.contentType)
        .header('Content-Disposition', `attachment; filename="${file.fileName}"`)
        .header('Cache-Control', 'no-store')
        .header('X-Content-Type-Options', 'nosniff')
        .send(Readable.from(file.chunks, { objectMode: false, highWaterMark: 65_536 }))
    },
  )
}
