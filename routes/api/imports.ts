import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../common/domain-error.js'
import { stringEnum } from '../../mcp/string-enum.js'
import { API_PATH } from '../../oauth/resource.js'
import type { Import, ImportOptions } from '../../safes/safe.js'
import type { UsedUploads } from '../../safes/uploads/uploads.js'
import { accessOf, mayFill } from './access.js'
import { BadLines, Nullable, SafeParams, Time } from './schemas.js'

const ImportParams = Type.Object({
  ...SafeParams.properties,
  import: Type.String({ pattern: '^[1-9]\\d{0,8}$', description: 'The number of an import.' }),
})

const Counts = Type.Object({
  entities: Type.Integer(),
  relations: Type.Integer(),
  passages: Type.Integer(),
})
const Examples = Type.Array(Type.String())

const ImportAnswer = Type.Object({
  id: Type.Integer(),
  status: stringEnum(['staging', 'staged', 'committed', 'failed']),
  source: Type.String(),
  format: Type.String(),
  counts: Counts,
  bad_line_count: Type.Integer(),
  bad_lines: BadLines,
  left_out: Type.Array(
    Type.Object({
      reason: stringEnum(['hidden', 'beside_notes', 'beside_chats', 'unknown']),
      count: Type.Integer(),
      endings: Examples,
    }),
    { description: 'Files of a folder or archive that are not read.' },
  ),
  tables: Type.Array(
    Type.Object({
      table: Type.String(),
      thing: Type.String({ description: 'What a row is.' }),
      has_header: Type.Boolean(),
      naming: Type.Array(Type.String(), { description: 'Columns with the name of a row.' }),
      unclear: Type.Array(Type.String(), { description: 'Columns that could have the name as well.' }),
      columns: Type.Array(
        Type.Object({
          header: Type.String(),
          role: stringEnum(['name', 'key', 'link', 'relation', 'value']),
          to: Type.String(),
        }),
      ),
      rows: Type.Array(Type.String(), { description: 'The first rows as they were read.' }),
    }),
    { description: 'How the first tables were read.' },
  ),
  problem: Nullable(Type.String({ description: 'Why it failed, as a sentence.' })),
  same_as: Nullable(
    Type.Integer({ description: 'The import with the same bytes, if it failed as a duplicate.' }),
  ),
  comparison: Nullable(
    Type.Object({
      version: Type.Integer(),
      added: Counts,
      there: Counts,
      conflicts: Type.Integer(),
      examples: Type.Object({ added: Examples, there: Examples, conflicts: Examples }),
    }),
  ),
  sync: Nullable(
    Type.Object({
      added: Type.Integer(),
      changed: Type.Integer(),
      renamed: Type.Integer(),
      removed: Type.Integer(),
      relinked: Type.Integer(),
    }),
  ),
  bytes_read: Type.Integer(),
  bytes_total: Nullable(Type.Integer()),
  created_at: Time,
  committed_at: Nullable(Time),
  merged: Type.Boolean(),
})

const NewImport = Type.Object(
  {
    uploads: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: 1_000,
      description: 'Ids of finished uploads.',
    }),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The uploads are the files of a folder with this name.',
      }),
    ),
    format: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    name_column: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The column with the names of the rows, in tables.',
      }),
    ),
    skip_bad: Type.Optional(Type.Boolean({ default: false })),
    commit: Type.Optional(Type.Boolean({ default: true })),
  },
  { additionalProperties: false },
)

/** Reads uploads into a Safe, and undoes that. */
export default async function importRoutes(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  const { safes, uploads } = app
  const all = '/safes/:safe/imports'
  const one = `${all}/:import`
  const params = { schema: { params: ImportParams } }

  app.post(
    all,
    {
      onRequest: mayFill,
      schema: { summary: 'Read finished uploads into the Safe', params: SafeParams, body: NewImport },
      config: { answers: { 202: ImportAnswer } },
    },
    async (request, reply) => {
      const { safe } = request.params
      const { accountId, connectionId } = accessOf(request)
      const used = await uploads.use(accountId, safe, request.body.uploads)
      try {
        const options = { ...optionsOf(request.body, used), connectionId, onEnd: used.end }
        const begun = await safes.imports.start(accountId, safe, options)
        const location = `${app.config.baseUrl}${API_PATH}/safes/${safe}/imports/${begun.id}`
        return await reply.code(202).header('Location', location).send(answerOf(begun))
      } catch (error) {
        await used.end(false)
        throw error
      }
    },
  )

  app.get(
    one,
    {
      schema: { ...params.schema, summary: 'The progress of an import, then its report' },
      config: { answers: { 200: ImportAnswer } },
    },
    async request => {
      const { safe, import: id } = request.params
      return found(accessOf(request).accountId, safe, Number(id))
    },
  )

  app.post(
    `${one}/commit`,
    {
      onRequest: mayFill,
      schema: { ...params.schema, summary: 'Add a staged import to the Safe' },
      config: { answers: { 200: ImportAnswer } },
    },
    async request => {
      const { safe, import: id } = request.params
      const { accountId, connectionId } = accessOf(request)
      return answerOf(await safes.imports.commit(accountId, safe, Number(id), connectionId))
    },
  )

  app.delete(
    one,
    {
      onRequest: mayFill,
      schema: { ...params.schema, summary: 'Stop, discard or undo an import' },
      config: { answers: { 204: null } },
    },
    async (request, reply) => {
      const { safe, import: id } = request.params
      const { accountId, connectionId } = accessOf(request)
      await safes.imports.undo(accountId, safe, Number(id), connectionId)
      return reply.code(204).send()
    },
  )

  app.post(
    `${one}/restore`,
    {
      onRequest: mayFill,
      schema: { ...params.schema, summary: 'Restore an undone import' },
      config: { answers: { 200: ImportAnswer } },
    },
    async request => {
      const { safe, import: id } = request.params
      const { accountId, connectionId } = accessOf(request)
      await safes.imports.restore(accountId, safe, Number(id), connectionId)
      return found(accountId, safe, Number(id))
    },
  )

  async function found(accountId: string, safe: string, id: number) {
    const item = await safes.imports.find(accountId, safe, id)
    if (!item) throw notFound('import')
    return answerOf(item)
  }
}

function optionsOf(
  {
    name,
    format,
    name_column: nameColumn,
    skip_bad: skipBad = false,
    commit = true,
  }: Static<typeof NewImport>,
  { uploads, open }: UsedUploads,
): ImportOptions {
  const how = { ...(nameColumn === undefined ? {} : { nameColumn }), skipBad, commit }
  const [first, ...others] = uploads
  if (first && others.length === 0 && name === undefined) {
    const file = { source: first.name, bytes: open(first), bytesTotal: first.bytes }
    return { ...file, ...(format === undefined ? {} : { format }), ...how }
  }
  const files = uploads.map(upload => ({ path: upload.name, open: async () => open(upload) }))
  const bytesTotal = uploads.reduce((sum, { bytes }) => sum + bytes, 0)
  return { source: name ?? 'files', files: { files, problems: [] }, bytesTotal, ...how }
}

function answerOf(item: Import): Static<typeof ImportAnswer> {
  const { id, source, format, counts, problem, merged, sync } = item
  // An import that is added at once is staged, too, while its index is built. It waits for nobody.
  const isWaiting = item.comparison !== undefined
  return {
    id,
    status: item.status === 'staged' && !isWaiting ? 'staging' : item.status,
    source,
    format,
    counts,
    bad_line_count: item.badLineCount,
    bad_lines: item.badLines,
    left_out: item.leftOut ?? [],
    tables: (item.tables ?? []).map(({ hasHeader, ...table }) => ({ ...table, has_header: hasHeader })),
    problem,
    same_as: item.sameAs ?? null,
    comparison: item.comparison ?? null,
    sync: sync
      ? {
          added: sync.added,
          changed: sync.changed,
          renamed: sync.renamed,
          removed: sync.removed,
          relinked: sync.relinked,
        }
      : null,
    bytes_read: item.bytesRead,
    bytes_total: item.bytesTotal,
    created_at: new Date(item.createdAt).toISOString(),
    committed_at: item.committedAt === null ? null : new Date(item.committedAt).toISOString(),
    merged,
  }
}
