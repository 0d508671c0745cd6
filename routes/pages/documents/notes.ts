import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { flashTexts } from '../../../views/texts/flash.js'
import { formPage } from '../form-page.js'
import { pathWith } from '../list.js'
import { ownSafe, type SafeRequest } from '../own-safe.js'
import { KeyField, type RequestOf, SafeParams, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import { type NoteFields, type NotePage, notePage } from './note-view.js'
import { saysDone } from './undo.js'

/** Maximum characters of a text as sent by browsers, with two for each line break; the note itself may have fewer. */
const MAX_SENT_LENGTH = 500_000
/** Maximum bytes of a form with a note; a character may take nine. */
export const NOTE_BYTES = 2 * 1024 * 1024

export const NoteFieldsSchema = { title: TextField(1_000), text: TextField(MAX_SENT_LENGTH) }

const New = { params: SafeParams, querystring: Type.Object({ title: Type.Optional(TextField(200)) }) }
const Add = { params: SafeParams, body: Type.Object(NoteFieldsSchema) }
const Open = { params: SafeParams, querystring: Type.Object({ path: KeyField() }) }
const Edit = {
  params: SafeParams,
  body: Type.Object({ ...NoteFieldsSchema, path: KeyField(), version: TextField(100) }),
}
const Remove = { params: SafeParams, body: Type.Object({ path: KeyField() }) }

interface NoteContent extends Partial<NoteFields> {
  error?: string
  path?: string
  version?: string
}

/** Notes that owners write and edit in a Safe. */
export default async function notePages(app: TypedApp) {
  const form = { load: ownSafe, show: showForm, entered: ({ body }: { body: NoteContent }) => body }

  app.get('/safes/:safeId/notes/new', { schema: New }, async (request, reply) =>
    showForm(request, await ownSafe(request), reply, request.query),
  )
  app.get('/safes/:safeId/notes/edit', { schema: Open }, openNote)
  app.post(
    '/safes/:safeId/notes/new',
    { schema: Add, bodyLimit: NOTE_BYTES },
    formPage({ ...form, change: add }),
  )
  app.post(
    '/safes/:safeId/notes/edit',
    { schema: Edit, bodyLimit: NOTE_BYTES },
    formPage({ ...form, change: edit }),
  )
  app.post('/safes/:safeId/notes/remove', { schema: Remove }, remove)
}

async function showForm(_: SafeRequest, safe: ReadableSafe, reply: FastifyReply, shown: NoteContent) {
  const { title = '', text = '', path, version = '', error } = shown
  const cancel = path === undefined ? '' : documentAddress(`/safes/${safe.id}`, path)
  const existing = path === undefined ? null : { path, version, cancel }
  return reply.page<NotePage>('note', { ...notePage(safe, { title, text }, existing), error })
}

async function openNote(request: RequestOf<typeof Open>, reply: FastifyReply) {
  const safe = await ownSafe(request)
  const note = await request.server.safes.notes.find(accountOf(request).id, safe.id, request.query.path)
  if (!note) throw notFound('Note')
  return showForm(request, safe, reply, note)
}

async function add(request: RequestOf<typeof Add>, { id }: ReadableSafe, reply: FastifyReply) {
  const { title, text } = request.body
  const written = await request.server.safes.notes.add(accountOf(request).id, id, title, text)
  saysDone(reply, id, flashTexts.noteSaved, written)
  return documentAddress(`/safes/${id}`, written.path)
}

async function edit(request: RequestOf<typeof Edit>, { id }: ReadableSafe, reply: FastifyReply) {
  const written = await request.server.safes.notes.edit(accountOf(request).id, id, request.body)
  saysDone(reply, id, flashTexts.noteSaved, written)
  return documentAddress(`/safes/${id}`, written.path)
}

async function remove(request: RequestOf<typeof Remove>, reply: FastifyReply) {
  const safe = await ownSafe(request)
  const { path } = request.body
  const written = await request.server.safes.notes.remove(accountOf(request).id, safe.id, path)
  saysDone(reply, safe.id, flashTexts.noteRemoved, written)
  const list = pathWith(`/safes/${safe.id}/documents`, { folder: path.slice(0, path.lastIndexOf('/') + 1) })
  return reply.redirect(list, 303)
}
