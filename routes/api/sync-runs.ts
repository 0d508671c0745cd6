import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../common/domain-error.js'
import { stringEnum } from '../../mcp/string-enum.js'
import { API_PATH } from '../../oauth/resource.js'
import type { LeftOut, SyncReport } from '../../safes/safe.js'
import { FOLDER_FILE_BYTES } from '../../safes/uploads/manifest.js'
import type { SentRun } from '../../safes/uploads/sync-runs.js'
import { accessOf, mayFill } from './access.js'
import { BadLines, Nullable, SafeParams, Time } from './schemas.js'

const LINES = 'application/x-ndjson'
/** How long `finish` waits, which most proxies allow. */
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

const Contents = Type.Object(
  { uploads: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 1_000 }) },
  { additionalProperties: false },
)

const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const LeftOutCounts = Type.Object({
  hidden: Count,
  ignored: Count,
  too_large: Count,
  links: Count,
  others: Count,
})

const Finish = Type.Object(
  { left_out: Type.Optional(LeftOutCounts), confirmed: Type.Optional(Type.Boolean({ default: false })) },
  { additionalProperties: false },
)

const Report = Type.Object({
  run: Nullable(Type.Integer({ description: 'The import that the run made.' })),
  added: Type.Integer(),
  changed: Type.Integer(),
  renamed: Type.Integer(),
  removed: Type.Integer(),
  relinked: Type.Integer(),
  failed_count: Type.Integer(),
  failed: Type.Array(Type.Object({ path: Type.String(), size: Type.Integer(), bad_lines: BadLines })),
  left_out: LeftOutCounts,
})

const Run = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: stringEnum(['open', 'running', 'done', 'failed']),
  files: Type.Integer(),
  wanted: Type.Array(Type.String(), { description: 'SHA-256, in hex, of the contents that are needed.' }),
  read: Type.Integer(),
  to_read: Type.Integer(),
  report: Nullable(Report),
  problem: Nullable(Type.String({ description: 'Why it failed, as a sentence.' })),
  code: Nullable(Type.String({ description: 'Why it failed, for programs.' })),
  expires_at: Time,
})

const Received = Type.Object({ wanted_count: Type.Integer() })

/** Runs that make a Safe contain what a folder elsewhere does (ADR 57). */
export default async function syncRunRoutes(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  await root.register(multipart, {
    limits: { fileSize: FOLDER_FILE_BYTES, files: FILES_AT_ONCE, parts: FILES_AT_ONCE, fields: 0 },
  })
  const { syncRuns, uploads, uploadsAtOnce } = app
  const all = '/safes/:safe/sync-runs'
  const one = `${all}/:run`
  const params = { schema: { params: RunParams } }

  app.addContentTypeParser(LINES, (_request, payload, done) => done(null, payload))
  app.addHook('onRequest', mayFill)

  app.post(
    all,
    {
      schema: {
        summary: 'Start a sync run with the list of files',
        params: SafeParams,
        querystring: StartQuery,
      },
      config: { answers: { 201: Run }, takes: LINES },
    },
    async (request, reply) => {
      const { safe } = request.params
      const { name, folder = '', confirmed } = request.query
      const lines = request.body as Readable | null
      if (!lines) throw new DomainError(415, 'unsupported_media_type', `Send ${LINES}.`)
      const { accountId } = accessOf(request)
      const run = await uploadsAtOnce.run(accountId, () => {
        app.allowSlowBody(request)
        const options = { name, folder, confirmed: confirmed === 'true' }
        // Destroying the stream of a request would end its connection before the answer.
        const manifest = lines.iterator({ destroyOnReturn: false })
        return syncRuns.start(accountId, safe, options, manifest).finally(() => lines.resume())
      })
      const location = `${app.config.baseUrl}${API_PATH}/safes/${safe}/sync-runs/${run.id}`
      return reply.code(201).header('Location', location).send(answerOf(run))
    },
  )

  app.get(
    one,
    {
      schema: { ...params.schema, summary: 'The progress of a sync run, then its report' },
      config: { answers: { 200: Run } },
    },
    async request => {
      const { safe, run } = request.params
      return answerOf(await syncRuns.find(accessOf(request).accountId, safe, run))
    },
  )

  app.post(
    `${one}/contents`,
    {
      // A form is read by the handler, and is null here.
      schema: { ...params.schema, summary: 'Send contents of files', body: Nullable(Contents) },
      config: {
        answers: { 200: Received },
        takes: 'multipart/form-data',
      },
    },
    async request => {
      const { safe, run } = request.params
      const { accountId } = accessOf(request)
      if (request.isMultipart()) {
        const wanted_count = await uploadsAtOnce.run(accountId, () => {
          app.allowSlowBody(request)
          const receiving = syncRuns.receive(accountId, safe, run, filesIn(request))
          // A sender reads the answer once it has sent everything; the form's parser waits for a reader.
          return receiving.finally(() => request.raw.unpipe().resume())
        })
        return { wanted_count }
      }
      const used = await uploads.use(accountId, safe, request.body?.uploads ?? [])
      let isDone = false
      try {
        const contents = used.uploads.map(upload => ({ sha256: null, bytes: used.open(upload) }))
        const wanted_count = await syncRuns.receive(accountId, safe, run, inTurn(contents))
        isDone = true
        return { wanted_count }
      } finally {
        await used.end(isDone)
      }
    },
  )

  app.post(
    `${one}/finish`,
    {
      schema: { ...params.schema, summary: 'Make what was sent visible', body: Finish },
      config: { answers: { 200: Run, 202: Run } },
    },
    async (request, reply) => {
      const { safe, run } = request.params
      const { accountId, connectionId } = accessOf(request)
      const { left_out, confirmed = false } = request.body
      const options = { confirmed, leftOut: leftOutOf(left_out), connectionId }
      const ended = await syncRuns.finish(accountId, safe, run, options, PATIENCE_MS)
      return reply.code(ended.status === 'running' ? 202 : 200).send(answerOf(ended))
    },
  )

  app.delete(
    one,
    {
      schema: { ...params.schema, summary: 'Give a sync run up' },
      config: { answers: { 204: null } },
    },
    async (request, reply) => {
      const { safe, run } = request.params
      await syncRuns.abort(accessOf(request).accountId, safe, run)
      return reply.code(204).send()
    },
  )
}

/** The files of a form, whose field names are their SHA-256. */
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

function leftOutOf(counts: Static<typeof LeftOutCounts> | undefined): LeftOut {
  const { hidden = 0, ignored = 0, too_large = 0, links = 0, others = 0 } = counts ?? {}
  return { hidden, ignored, tooLarge: too_large, links, others }
}

function answerOf({ toRead, report, problem, expiresAt, ...run }: SentRun): Static<typeof Run> {
  return {
    ...run,
    to_read: toRead,
    report: report && reportOf(report),
    problem: problem?.message ?? null,
    code: problem?.code ?? null,
    expires_at: new Date(expiresAt).toISOString(),
  }
}

function reportOf({ failedCount, failed, leftOut, ...report }: SyncReport): Static<typeof Report> {
  const { tooLarge, ...others } = leftOut
  return {
    ...report,
    failed_count: failedCount,
    failed: failed.map(({ path, size, badLines }) => ({ path, size, bad_lines: badLines })),
    left_out: { ...others, too_large: tooLarge },
  }
}
