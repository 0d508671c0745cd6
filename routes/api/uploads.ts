import type { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { API_PATH } from '../../domain/oauth/resource.js'
import { FILE_BYTES, type StartedUpload } from '../../domain/safes/uploads/uploads.js'
import { DomainError } from '../../platform/common/domain-error.js'
import type { RequestOf, TypedApp } from '../pages/params.js'
import { accessOf, mayFill } from './access.js'
import { described } from './described.js'
import { SafeParams } from './schemas.js'

const VERSION = '1.0.0'
const BYTES = 'application/offset+octet-stream'
const NAME_CHARACTERS = 1_000

const UploadParams = Type.Object({
  ...SafeParams.properties,
  upload: Type.String({ maxLength: 64, description: 'The id of an upload.' }),
})

const Version = Type.String({ description: 'Always 1.0.0.' })
const Size = Type.Optional(Type.String({ description: 'In bytes.' }))
const Headers = Type.Object({ 'tus-resumable': Type.Optional(Version) })
const CreateHeaders = Type.Object({
  ...Headers.properties,
  'upload-length': Size,
  'upload-metadata': Type.Optional(
    Type.String({ maxLength: 4_096, description: '`filename` and the name in base64.' }),
  ),
})
const AppendHeaders = Type.Object({ ...Headers.properties, 'upload-offset': Size })

/** The headers of the OPTIONS response (tus 1.0.0 §Headers). */
export const TUS_DESCRIPTION = {
  'Tus-Resumable': VERSION,
  'Tus-Version': VERSION,
  'Tus-Extension': 'creation,creation-with-upload,termination,expiration',
  'Tus-Max-Size': String(FILE_BYTES),
}

/** Headers of uploads that a page may read. */
export const TUS_EXPOSED = [
  ...Object.keys(TUS_DESCRIPTION),
  'Upload-Offset',
  'Upload-Length',
  'Upload-Expires',
]

const Begin = { params: SafeParams, headers: CreateHeaders }
const OfUpload = { params: UploadParams, headers: Headers }
const Append = { params: UploadParams, headers: AppendHeaders }

/** Resumable uploads (https://tus.io/protocols/resumable-upload). The file's name is its only metadata. */
export default async function uploadRoutes(app: TypedApp) {
  const all = '/safes/:safe/uploads'
  const one = `${all}/:upload`

  app.addContentTypeParser(BYTES, (_request, payload, done) => done(null, payload))
  app.addHook('preParsing', requireVersion)
  app.addHook('preParsing', mayFill)

  app.post(
    all,
    described(Begin, 'Begin an upload, with its first bytes or all of them', { 201: null }, BYTES),
    begin,
  )
  app.head(one, described(OfUpload, 'How much of an upload has arrived', { 200: null }), show)
  app.patch(one, described(Append, 'Continue an upload', { 204: null }, BYTES), append)
  app.delete(one, described(OfUpload, 'Delete an upload', { 204: null }), remove)
}

async function requireVersion({ headers }: FastifyRequest, reply: FastifyReply) {
  reply.header('Tus-Resumable', VERSION)
  if (headers['tus-resumable'] === VERSION) return
  reply.header('Tus-Version', VERSION)
  throw new DomainError(412, 'unsupported_version', `Send the header “Tus-Resumable: ${VERSION}”.`)
}

async function begin(request: RequestOf<typeof Begin>, reply: FastifyReply) {
  const { server, headers } = request
  const { safe } = request.params
  const bytes = wholeNumber(headers['upload-length'], 'Upload-Length')
  const name = fileNameIn(headers['upload-metadata'] ?? '')
  const reserve = () => server.uploads.begin(accessOf(request).accountId, safe, { name, bytes })
  const upload = hasBody(request)
    ? await sending(request, async () => withFirstBytes(request, await reserve()))
    : await reserve()
  const location = `${server.config.baseUrl}${API_PATH}/safes/${safe}/uploads/${upload.id}`
  return describe(reply.code(201).header('Location', location), upload).send()
}

async function show(request: RequestOf<typeof OfUpload>, reply: FastifyReply) {
  const upload = await request.server.uploads.release(await found(request))
  return describe(reply, upload).header('Upload-Length', upload.bytes).send()
}

async function append(request: RequestOf<typeof Append>, reply: FastifyReply) {
  const { uploads } = request.server
  const offset = wholeNumber(request.headers['upload-offset'], 'Upload-Offset')
  if (!hasBody(request)) throw new DomainError(415, 'unsupported_media_type', `Send ${BYTES}.`)
  // First, so that the request that it replaces does not count as another one.
  const upload = await uploads.release(await found(request))
  const received = await sending(request, () => uploads.append(upload, offset, request.body as Readable))
  return describe(reply.code(204), { ...upload, received }).send()
}

async function remove(request: RequestOf<typeof OfUpload>, reply: FastifyReply) {
  await request.server.uploads.remove(await found(request))
  return reply.code(204).send()
}

function found(request: RequestOf<typeof OfUpload>): Promise<StartedUpload> {
  const { safe, upload } = request.params
  return request.server.uploads.find(accessOf(request).accountId, safe, upload)
}

/** Without the answer the sender does not know its address, so interrupted uploads are useless. */
async function withFirstBytes(
  { server, body }: FastifyRequest,
  upload: StartedUpload,
): Promise<StartedUpload> {
  try {
    return { ...upload, received: await server.uploads.append(upload, 0, body as Readable) }
  } catch (error) {
    await server.uploads.remove(upload)
    throw error
  }
}

/** Runs work that reads the body, when the account's turn comes. */
function sending<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  return request.server.uploadsAtOnce.run(accessOf(request).accountId, async () => {
    request.server.allowSlowBody(request)
    try {
      return await work()
    } catch (error) {
      // Nobody is left to read the answer, and the received bytes are kept.
      if ((error as NodeJS.ErrnoException).code === 'ECONNRESET')
        throw new DomainError(400, 'broken_off', 'The connection was closed.')
      throw error
    } finally {
      // Senders read the answer after sending everything.
      request.raw.resume()
    }
  })
}

const hasBody = ({ body }: FastifyRequest) => body !== undefined && body !== null

const describe = (reply: FastifyReply, { received, expiresAt }: StartedUpload) =>
  reply.headers({ 'Upload-Offset': received, 'Upload-Expires': new Date(expiresAt).toUTCString() })

function wholeNumber(text: string | undefined, name: string): number {
  if (text === undefined || !/^\d{1,15}$/.test(text))
    throw new DomainError(400, 'invalid_request', `${name} must be a whole number.`)
  return Number(text)
}

/** The `filename` of `Upload-Metadata`: pairs of a key and base64, separated by commas. */
function fileNameIn(metadata: string): string {
  for (const pair of metadata.split(',')) {
    const [key, value = ''] = pair.trim().split(' ')
    if (key !== 'filename') continue
    const name = Buffer.from(value, 'base64').toString('utf8')
    if (name !== '' && name.length <= NAME_CHARACTERS && !/\p{Cc}/u.test(name)) return name
  }
  throw new DomainError(
    400,
    'invalid_request',
    `Upload-Metadata must have a “filename” of 1 to ${NAME_CHARACTERS} characters in base64.`,
  )
}
