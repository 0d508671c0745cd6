import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { API_PATH } from '../../domain/oauth/resource.js'
import { FOLDER_FILE_BYTES } from '../../domain/safes/uploads/manifest.js'
import { stringEnum } from '../../mcp/string-enum.js'
import { DomainError } from '../../platform/common/domain-error.js'
import type { RequestOf, TypedApp } from '../pages/params.js'
import { accessOf, mayFill } from './access.js'
import { described } from './described.js'
import { Nullable, SafeParams } from './schemas.js'
import { Contents, Finish, leftOutOf, Received, Run, runAnswer } from './sync-run-schemas.js'

const LINES = 'application/x-ndjson'
/** Maximum wait of `finish`, which most proxies allow. */
const PATIENCE_MS = 10_000
const FILES_AT_ONCE = 1_000

const RunParams = Type.Object({
  ...SafeParams.properties,
  run: Type.String({ maxLength: 64, description: 'The id of a sync run.' }),
})

const StartQuery = Type.Object({
  name: Type.String({ maxLength: 200, description: 'What the folder is called in the Safe.' }),
  folder: Type.Optional(
    Type.String({ maxLength: 1_000, default: '', description: 'Where the folder is, for people.' }),
  ),
  confirmed: Type.Optional(
    stringEnum(['true', 'false'], {
      default: 'false',
      description: 'Go on if the folder has moved, or most of its files are gone.',
    }),
  ),
})

const Start = { params: SafeParams, querystring: StartQuery }
const OfRun = { params: RunParams }
/** A form is read by the handler, and is null here. */
const Send = { ...OfRun, body: Nullable(Contents) }
const End = { ...OfRun, body: Finish }

const NotesOf = {
  params: SafeParams,
  querystring: Type.Object({
    name: Type.String({ maxLength: 200, description: 'What the folder is called in the Safe.' }),
    in: Type.Optional(
      Type.String({
        maxLength: 1_000,
        default: '',
        description: 'Only new notes in this folder, such as `Notes/`.',
      }),
    ),
    after: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'The path of the last note of the previous page.' }),
    ),
  }),
}

/** A page of at most 20, by path. */
const Notes = Type.Object({
  notes: Type.Array(
    Type.Object({
      path: Type.String(),
      text: Type.String(),
      hash: Type.String({ description: 'SHA-256 of the text, in base64url.' }),
      before: Nullable(Type.String({ description: 'The same of what the folder had at its last run.' })),
    }),
  ),
})

export type Notes = Static<typeof Notes>

/** Runs that sync a folder elsewhere into a Safe (ADR 57). */
export default async function syncRunRoutes(app: TypedApp) {
  await app.register(multipart, {
    limits: { fileSize: FOLDER_FILE_BYTES, files: FILES_AT_ONCE, parts: FILES_AT_ONCE, fields: 0 },
  })
  const all = '/safes/:safe/sync-runs'
  const one = `${all}/:run`

  const notes = described(NotesOf, 'Notes and accepted edits that a synced folder does not have', {
    200: Notes,
  })
  app.get('/safes/:safe/notes', { ...notes, onRequest: mayFill }, listNotes)
  app.addContentTypeParser(LINES, (_request, payload, done) => done(null, payload))
  app.addHook('onRequest', mayFill)

  app.post(all, described(Start, 'Start a sync run with the list of files', { 201: Run }, LINES), start)
  app.get(one, described(OfRun, 'The progress of a sync run, then its report', { 200: Run }), show)
  app.post(
    `${one}/contents`,
    described(Send, 'Send contents of files', { 200: Received }, 'multipart/form-data'),
    async request => ({
      wanted_count: await (request.isMultipart() ? receiveForm(request) : receiveUploads(request)),
    }),
  )
  app.post(`${one}/finish`, described(End, 'Make what was sent visible', { 200: Run, 202: Run }), finish)
  app.delete(one, described(OfRun, 'Give a sync run up', { 204: null }), giveUp)
}

async function listNotes({ server, params, query, access }: RequestOf<typeof NotesOf>): Promise<Notes> {
  const { name: folder, in: below = '', after } = query
  return {
    notes: await server.safes.notes.forFolder(access?.accountId ?? '', params.safe, { folder, below, after }),
  }
}

async function start(request: RequestOf<typeof Start>, reply: FastifyReply) {
  const { server, params, query } = request
  const { name, folder = '', confirmed } = query
  const lines = request.body as Readable | null
  if (!lines) throw new DomainError(415, 'unsupported_media_type', `Send ${LINES}.`)
  const { accountId } = accessOf(request)
  const run = await server.uploadsAtOnce.run(accountId, () => {
    server.allowSlowBody(request)
    const options = { name, folder, confirmed: confirmed === 'true' }
    // Destroying the stream of a request would end its connection before the answer.
    const manifest = lines.iterator({ destroyOnReturn: false })
    return server.syncRuns.start(accountId, params.safe, options, manifest).finally(() => lines.resume())
  })
  const location = `${server.config.baseUrl}${API_PATH}/safes/${params.safe}/sync-runs/${run.id}`
  return reply.code(201).header('Location', location).send(runAnswer(run))
}

async function show(request: RequestOf<typeof OfRun>) {
  const { safe, run } = request.params
  return runAnswer(await request.server.syncRuns.find(accessOf(request).accountId, safe, run))
}

/** Receives several small files in one request. Returns how many contents are still needed. */
function receiveForm(request: RequestOf<typeof Send>): Promise<number> {
  const { server, params } = request
  const { accountId } = accessOf(request)
  return server.uploadsAtOnce.run(accountId, () => {
    server.allowSlowBody(request)
    const receiving = server.syncRuns.receive(accountId, params.safe, params.run, filesIn(request))
    // Senders read the answer after sending everything; the form's parser waits for a reader.
    return receiving.finally(() => request.raw.unpipe().resume())
  })
}

/** Takes large files that were uploaded before. Returns how many contents are still needed. */
async function receiveUploads(request: RequestOf<typeof Send>): Promise<number> {
  const { syncRuns, uploads } = request.server
  const { safe, run } = request.params
  const { accountId } = accessOf(request)
  const used = await uploads.use(accountId, safe, request.body?.uploads ?? [])
  let isDone = false
  try {
    const contents = used.uploads.map(upload => ({ sha256: null, bytes: used.open(upload) }))
    const wanted = await syncRuns.receive(accountId, safe, run, inTurn(contents))
    isDone = true
    return wanted
  } finally {
    await used.end(isDone)
  }
}

async function finish(request: RequestOf<typeof End>, reply: FastifyReply) {
  const { safe, run } = request.params
  const { accountId, connectionId } = accessOf(request)
  const { left_out, confirmed = false } = request.body
  const options = { confirmed, leftOut: leftOutOf(left_out), connectionId }
  const ended = await request.server.syncRuns.finish(accountId, safe, run, options, PATIENCE_MS)
  return reply.code(ended.status === 'running' ? 202 : 200).send(runAnswer(ended))
}

async function giveUp(request: RequestOf<typeof OfRun>, reply: FastifyReply) {
  const { safe, run } = request.params
  await request.server.syncRuns.abort(accessOf(request).accountId, safe, run)
  return reply.code(204).send()
}

/** The files of a form; field names are their SHA-256. */
async function* filesIn(request: FastifyRequest) {
  let left = FOLDER_FILE_BYTES
  for await (const part of request.parts()) {
    if (part.type !== 'file') throw new DomainError(400, 'invalid_request', 'Each part must be a file.')
    const { fieldname: sha256, file } = part
    const bytes = (async function* () {
      for await (const some of file) {
        left -= some.length
        if (left < 0) throw new DomainError(413, 'too_large', 'A request may have at most 64 MiB of files.')
        yield some
      }
    })()
    yield { sha256, bytes }
  }
}

async function* inTurn<Item>(items: readonly Item[]) {
  yield* items
}
