import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import type { NoteChange } from '../../../domain/safes/notes/notes.js'
import { ownSafe } from '../own-safe.js'
import { ImportNumber, KeyField, type RequestOf, SafeParams, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'

/** Shows on the next page the change of a document, with a button to undo it, unless nothing was changed. */
export function saysDone(reply: FastifyReply, safeId: string, text: string, { path, run }: NoteChange): void {
  if (run === 0) return
  const fields: [string, string][] = [
    ['run', String(run)],
    ['path', path],
  ]
  reply.says({ text, undo: { path: `/safes/${safeId}/undo`, fields } })
}

const Undo = { params: SafeParams, body: Type.Object({ run: ImportNumber(), path: KeyField() }) }

/** Undoes the latest change of a document (`saysDone`), and redirects to the document if it still exists. */
export default async function undoPages(app: TypedApp) {
  app.post('/safes/:safeId/undo', { schema: Undo }, undo)
}

async function undo(request: RequestOf<typeof Undo>, reply: FastifyReply) {
  const { id } = await ownSafe(request)
  const { imports, documents } = request.server.safes
  const { run, path } = request.body
  const accountId = accountOf(request).id
  await imports.undo(accountId, id, Number(run))
  const found = await documents.find(accountId, id, path).catch(() => null)
  return reply.redirect(found ? documentAddress(`/safes/${id}`, path) : `/safes/${id}/documents`, 303)
}
