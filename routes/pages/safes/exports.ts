import { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { type RequestOf, SafeParams, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'

const Export = { params: SafeParams, querystring: Type.Object({ format: TextField(20) }) }

/** Downloads a Safe as a file, for every member. */
export default async function exportPages(app: TypedApp) {
  // A HEAD request would read the whole Safe for nothing.
  app.get('/safes/:safeId/export', { schema: Export, exposeHeadRoute: false }, sendExport)
}

async function sendExport(request: RequestOf<typeof Export>, reply: FastifyReply) {
  const { id } = accountOf(request)
  const file = await request.server.safes.export(id, request.params.safeId, request.query.format)
  // The name consists of letters, digits, dashes and a dot, so it needs no quoting (RFC 6266 §4.1).
  return reply
    .header('Content-Type', file.contentType)
    .header('Content-Disposition', `attachment; filename="${file.fileName}"`)
    .header('Cache-Control', 'no-store')
    .header('X-Content-Type-Options', 'nosniff')
    .send(Readable.from(file.chunks, { objectMode: false, highWaterMark: 65_536 }))
}
