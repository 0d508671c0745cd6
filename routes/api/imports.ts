import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { API_PATH } from '../../domain/oauth/resource.js'
import type { ImportOptions } from '../../domain/safes/safe.js'
import type { UsedUploads } from '../../domain/safes/uploads/uploads.js'
import { notFound } from '../../platform/common/domain-error.js'
import type { RequestOf, TypedApp } from '../pages/params.js'
import { accessOf, mayFill } from './access.js'
import { described } from './described.js'
import { ImportAnswer, importAnswer, NewImport } from './import-schemas.js'
import { SafeParams } from './schemas.js'

const ImportParams = Type.Object({
  ...SafeParams.properties,
  import: Type.String({ pattern: '^[1-9]\\d{0,8}$', description: 'The number of an import.' }),
})

/** A request to read uploads. */
export const Begin = { params: SafeParams, body: NewImport }
const OfImport = { params: ImportParams }

/** Reads uploads into a Safe, and undoes that. */
export default async function importRoutes(app: TypedApp) {
  const all = '/safes/:safe/imports'
  const one = `${all}/:import`

  app.post(
    all,
    { onRequest: mayFill, ...described(Begin, 'Read finished uploads into the Safe', { 202: ImportAnswer }) },
    begin,
  )
  app.get(one, described(OfImport, 'The progress of an import, then its report', { 200: ImportAnswer }), show)
  app.post(
    `${one}/commit`,
    { onRequest: mayFill, ...described(OfImport, 'Add a staged import to the Safe', { 200: ImportAnswer }) },
    commit,
  )
  app.delete(
    one,
    { onRequest: mayFill, ...described(OfImport, 'Stop, discard or undo an import', { 204: null }) },
    undo,
  )
  app.post(
    `${one}/restore`,
    { onRequest: mayFill, ...described(OfImport, 'Restore an undone import', { 200: ImportAnswer }) },
    restore,
  )
}

/** Reads finished uploads into a Safe: for the API and for pages. */
export async function begin(request: RequestOf<typeof Begin>, reply: FastifyReply) {
  const { safes, uploads, config } = request.server
  const { safe } = request.params
  const { accountId, connectionId } = accessOf(request)
  const used = await uploads.use(accountId, safe, request.body.uploads)
  try {
    const options = { ...optionsOf(request.body, used), connectionId, onEnd: used.end }
    const begun = await safes.imports.start(accountId, safe, options)
    const location = `${config.baseUrl}${API_PATH}/safes/${safe}/imports/${begun.id}`
    return await reply.code(202).header('Location', location).send(importAnswer(begun))
  } catch (error) {
    await used.end(false)
    throw error
  }
}

async function show(request: RequestOf<typeof OfImport>): Promise<ImportAnswer> {
  const { safe, import: id } = request.params
  const item = await request.server.safes.imports.find(accessOf(request).accountId, safe, Number(id))
  if (!item) throw notFound('import')
  return importAnswer(item)
}

async function commit(request: RequestOf<typeof OfImport>) {
  const { safe, import: id } = request.params
  const { accountId, connectionId } = accessOf(request)
  return importAnswer(await request.server.safes.imports.commit(accountId, safe, Number(id), connectionId))
}

async function undo(request: RequestOf<typeof OfImport>, reply: FastifyReply) {
  const { safe, import: id } = request.params
  const { accountId, connectionId } = accessOf(request)
  await request.server.safes.imports.undo(accountId, safe, Number(id), connectionId)
  return reply.code(204).send()
}

async function restore(request: RequestOf<typeof OfImport>) {
  const { safe, import: id } = request.params
  const { accountId, connectionId } = accessOf(request)
  await request.server.safes.imports.restore(accountId, safe, Number(id), connectionId)
  return show(request)
}

function optionsOf(
  { name, format, name_column: nameColumn, skip_bad: skipBad = false, commit = true }: NewImport,
  { uploads, open }: UsedUploads,
): ImportOptions {
  const how = { ...(nameColumn === undefined ? {} : { nameColumn }), skipBad, commit }
  const [first, ...others] = uploads
  if (first && others.length === 0 && (name === undefined || format === 'zip')) {
    const file = { source: name ?? first.name, bytes: open(first), bytesTotal: first.bytes }
    return { ...file, ...(format === undefined ? {} : { format }), ...how }
  }
  const files = uploads.map(upload => ({ path: upload.name, open: async () => open(upload) }))
  const bytesTotal = uploads.reduce((sum, { bytes }) => sum + bytes, 0)
  return { source: name ?? 'files', files: { files, problems: [] }, bytesTotal, ...how }
}
