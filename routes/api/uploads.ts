import type { Readable } from 'node:stream'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../common/domain-error.js'
import { API_PATH } from '../../oauth/resource.js'
import { FILE_BYTES, type Upload } from '../../safes/uploads/uploads.js'
import { accessOf, mayFill } from './access.js'
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

/** What OPTIONS says (tus 1.0.0 §Headers). */
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

/** Resumable uploads (https://tus.io/protocols/resumable-upload). The file's name is its only metadata. */
export default async function uploadRoutes(root: FastifyInstance) {
  const app = root.withTypeProvider<TypeBoxTypeProvider>()
  const { uploads, uploadsAtOnce } = app
  const all = '/safes/:safe/uploads'
  const one = `${all}/:upload`

  app.addContentTypeParser(BYTES, (_request, payload, done) => done(null, payload))
  app.addHook('onRequest', async (request, reply) => {
    reply.header('Tus-Resumable', VERSION)
    if (request.headers['tus-resumable'] === VERSION) return
    reply.header('Tus-Version', VERSION)
    throw new DomainError(412, 'unsupported_version', `Send the header “Tus-Resumable: ${VERSION}”.`)
  })
  app.addHook('onRequest', mayFill)

  app.post(
    all,
    {
      schema: {
        summary: 'Begin an upload, with its first bytes or all of them',
        params: SafeParams,
        headers: CreateHeaders,
      },
      config: { answers: { 201: null }, takes: BYTES },
    },
    async (request, reply) => {
      const { safe } = request.params
      const { headers } = request
      const bytes = wholeNumber(headers['upload-length'], 'Upload-Length')
      const name = fileNameIn(headers['upload-metadata'] ?? '')
      const begin = () => uploads.begin(accessOf(request).accountId, safe, { name, bytes })
      const upload = hasBody(request)
        ? await sending(request, () => beginWith(request, begin))
        : await begin()
      const location = `${app.config.baseUrl}${API_PATH}/safes/${safe}/uploads/${upload.id}`
      return describe(reply.code(201).header('Location', location), upload).send()
    },
  )

  app.head(
    one,
    {
      schema: { summary: 'How much of an upload has arrived', params: UploadParams, headers: Headers },
      config: { answers: { 200: null } },
    },
    async (request, reply) => {
      const upload = await uploads.release(await found(request))
      return describe(reply, upload).header('Upload-Length', upload.bytes).send()
    },
  )

  app.patch(
    one,
    {
      schema: { summary: 'Continue an upload', params: UploadParams, headers: AppendHeaders },
      config: { answers: { 204: null }, takes: BYTES },
    },
    async (request, reply) => {
      const offset = wholeNumber(request.headers['upload-offset'], 'Upload-Offset')
      if (!hasBody(request)) throw new DomainError(415, 'unsupported_media_type', `Send ${BYTES}.`)
      // First, so that the request that it replaces does not count as another one.
      const upload = await uploads.release(await found(request))
      const append = () => uploads.append(upload, offset, request.body as Readable)
      const received = await sending(request, append)
      return describe(reply.code(204), { ...upload, received }).send()
    },
  )

  app.delete(
    one,
    {
      schema: { summary: 'Delete an upload', params: UploadParams, headers: Headers },
      config: { answers: { 204: null } },
    },
    async (request, reply) => {
      await uploads.remove(await found(request))
      return reply.code(204).send()
    },
  )

  function found(request: FastifyRequest): Promise<Upload> {
    const { safe, upload } = request.params as { safe: string; upload: string }
    return uploads.find(accessOf(request).accountId, safe, upload)
  }

  /** Without the answer its sender does not know its address, so what breaks off is of no use. */
  async function beginWith(request: FastifyRequest, begin: () => Promise<Upload>): Promise<Upload> {
    const upload = await begin()
    try {
      return { ...upload, received: await uploads.append(upload, 0, request.body as Readable) }
    } catch (error) {
      await uploads.remove(upload)
      throw error
    }
  }

  function sending<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    return uploadsAtOnce.run(accessOf(request).accountId, async () => {
      app.allowSlowBody(request)
      try {
        return await work()
      } catch (error) {
        // Nobody is left to read the answer, and what has arrived is kept.
        if (request.raw.destroyed && !(error instanceof DomainError))
          throw new DomainError(400, 'broken_off', 'The connection was closed.')
        throw error
      }
    })
  }
}

const hasBody = ({ body }: FastifyRequest) => body !== undefined && body !== null

const describe = (reply: FastifyReply, { received, expiresAt }: Upload) =>
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
