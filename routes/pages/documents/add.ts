import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import { NOTE_LIMITS } from '../../../domain/safes/notes/notes.js'
import { documentsTexts } from '../../../views/texts/documents.js'
import { flashTexts } from '../../../views/texts/flash.js'
import { formPage } from '../form-page.js'
import { IdField, type RequestOf, TextField, type TypedApp } from '../params.js'
import { accountOf } from '../signed-in.js'
import type { NoteFields, NotePage } from './note-view.js'
import { NOTE_BYTES, NoteFieldsSchema } from './notes.js'
import { capturedFields, capturedText } from './shared-content.js'
import { saysDone } from './undo.js'

const Shared = {
  querystring: Type.Object({
    title: Type.Optional(TextField(NOTE_LIMITS.text)),
    text: Type.Optional(TextField(NOTE_LIMITS.text)),
    url: Type.Optional(TextField(NOTE_LIMITS.text)),
  }),
}
const Add = { body: Type.Object({ ...NoteFieldsSchema, url: TextField(2_000), safe: IdField() }) }

interface AddContent extends Partial<NoteFields> {
  error?: string
  safe?: string
}

/** Safes to choose from. */
const MAX_SAFES = 200
const YEAR_SECONDS = 365 * 86_400

/** The target of a bookmarklet, a share sheet or a shortcut: a note with the shared content, for one of the account's Safes. */
export default async function addPages(app: TypedApp) {
  app.get('/add', { schema: Shared }, (request, reply) =>
    showForm(request, null, reply, capturedFields(request.query)),
  )
  app.post(
    '/add',
    { schema: Add, bodyLimit: NOTE_BYTES },
    formPage({ load: () => null, change: add, show: showForm, entered: ({ body }) => body }),
  )
}

async function showForm(request: FastifyRequest, _: null, reply: FastifyReply, shown: AddContent) {
  const { title = '', text = '', url = '', error, safe = request.cookies[cookieOf(request)] } = shown
  const own = await ownSafes(request)
  const m = documentsTexts.note
  const page: NotePage = {
    here: 'safes',
    head: null,
    heading: m.add,
    action: '/add',
    entered: { title, text, url },
    hidden: [],
    safes: own.map(({ id, name }) => ({ id, name, isChosen: id === safe })),
    limits: NOTE_LIMITS,
    submit: m.save,
    cancel: '/safes',
    bookmarklet: bookmarkletOf(request.server.config.baseUrl),
    error: error ?? (own.length === 0 ? m.noSafe : undefined),
  }
  return reply.page('note', page)
}

async function add(request: RequestOf<typeof Add>, _: null, reply: FastifyReply) {
  const { safes, config } = request.server
  const { safe: id, ...fields } = request.body
  const { title } = capturedFields(fields)
  const written = await safes.notes.add(accountOf(request).id, id, title, capturedText(fields, Date.now()))
  const secure = config.baseUrl.startsWith('https:')
  // The Safe chosen last, on this device.
  const options = { path: '/add', httpOnly: true, sameSite: 'lax', secure, maxAge: YEAR_SECONDS } as const
  reply.setCookie(cookieOf(request), id, options)
  saysDone(reply, id, flashTexts.noteSaved, written)
  return documentAddress(`/safes/${id}`, written.path)
}

const cookieOf = ({ server }: FastifyRequest) => `${server.config.brand}_add`

/** The Safes that the account may add to. */
async function ownSafes(request: FastifyRequest) {
  const { safes } = request.server
  const found = await safes.readableBy(accountOf(request).id, { limit: MAX_SAFES })
  return found.filter(({ role }) => role === 'owner')
}

/** A bookmark that passes on the title, the address and the selection of the current page. */
const bookmarkletOf = (baseUrl: string) =>
  `javascript:(e=>{location.href='${baseUrl}/add?title='+e(document.title)+'&url='+e(location.href)+'&text='+e(String(getSelection()).slice(0,4000))})(encodeURIComponent)`
