import { setTimeout as pause } from 'node:timers/promises'
import { DomainError } from '../../platform/common/domain-error.js'
import { CommandError } from '../command.js'
import type { Api } from './api.js'
import { ServerUnreachable } from './network.js'

/** A file to upload. It is opened again after a break. */
export interface UploadFile {
  /** Its name or path, cited in answers. */
  name: string
  size: number
  open(): Promise<AsyncIterable<Uint8Array>>
}

/** Larger files are sent in pieces of this size, so that a slow network does not run into a deadline. */
export const PIECE_BYTES = 4 * 1024 * 1024
/** Maximum consecutive interruptions without progress. */
const MAX_BREAKS = 8
const BREAK_MS = 500

const TUS = { 'Tus-Resumable': '1.0.0' }
const BYTES = { 'Content-Type': 'application/offset+octet-stream' }
/** The upload is at another offset than expected (tus 1.0 core), or the server is busy. */
const CONTINUED = [408, 409, 423, 429, 502, 503, 504]
const LOST = [404, 410]

/**
 * Uploads a file with tus 1.0 and returns the upload's id. After an interruption it continues at the server's offset.
 * @throws CommandError if the file changes meanwhile
 */
export async function upload(
  api: Api,
  safeId: string,
  content: UploadFile,
  onSent: (bytes: number) => void,
): Promise<string> {
  for (let isAgain = false; ; isAgain = true) {
    const { location, offset } = await create(api, safeId, content)
    onSent(offset)
    try {
      await sendRest(api, location, content, offset, onSent)
      return location.slice(location.lastIndexOf('/') + 1)
    } catch (error) {
      const isLost = error instanceof DomainError && LOST.includes(error.status)
      if (!isLost || isAgain) throw error
    }
  }
}

/** Creates the upload, with the whole file if that is small (tus 1.0 creation-with-upload). */
async function create(api: Api, safeId: string, content: UploadFile) {
  const isSmall = content.size <= PIECE_BYTES
  const response = await api.request(`/safes/${safeId}/uploads`, {
    method: 'POST',
    headers: {
      ...TUS,
      ...(isSmall ? BYTES : {}),
      'Upload-Length': String(content.size),
      'Upload-Metadata': `filename ${Buffer.from(content.name).toString('base64')}`,
    },
    ...(isSmall ? { body: await whole(content) } : {}),
  })
  const location = response.headers.get('location') ?? ''
  return { location: new URL(location, `${api.server}/`).href, offset: offsetOf(response) }
}

async function sendRest(
  api: Api,
  location: string,
  content: UploadFile,
  from: number,
  onSent: (bytes: number) => void,
): Promise<void> {
  let offset = from
  for (let breaks = 0; offset < content.size; ) {
    const before = offset
    try {
      for await (const piece of piecesOf(content, offset)) {
        const headers = { ...TUS, ...BYTES, 'Upload-Offset': String(offset) }
        const response = await api.request(location, { method: 'PATCH', headers, body: piece, tries: 1 })
        const reached = offsetOf(response)
        if (!(reached > offset)) throw new CommandError(`${api.server} does not take ${content.name}.`)
        offset = reached
        onSent(offset)
      }
    } catch (error) {
      if (!isBreak(error) || breaks > MAX_BREAKS) throw error
      const seconds = (error instanceof DomainError && error.retryAfter) || 0
      await pause(Math.max(BREAK_MS * (breaks + 1), seconds * 1000))
      offset = offsetOf(await api.request(location, { method: 'HEAD', headers: TUS }))
      onSent(offset)
    }
    breaks = offset > before ? 0 : breaks + 1
  }
}

const isBreak = (error: unknown) =>
  error instanceof ServerUnreachable || (error instanceof DomainError && CONTINUED.includes(error.status))

/** The bytes from `offset` on, in pieces. @throws CommandError if there are fewer than expected */
async function* piecesOf(content: UploadFile, offset: number): AsyncGenerator<Buffer> {
  let toSkip = offset
  let left = content.size - offset
  let parts: Uint8Array[] = []
  let collected = 0
  for await (const some of await content.open()) {
    const rest = some.subarray(Math.min(toSkip, some.length))
    toSkip -= some.length - rest.length
    for (let at = 0; at < rest.length && left > 0; ) {
      const part = rest.subarray(at, at + Math.min(PIECE_BYTES - collected, left))
      at += part.length
      left -= part.length
      collected += part.length
      parts.push(part)
      if (collected < PIECE_BYTES && left > 0) continue
      yield Buffer.concat(parts)
      parts = []
      collected = 0
    }
    if (left === 0) return
  }
  throw new CommandError(`${content.name} became smaller while it was being sent. Try again.`)
}

/** A small file. @throws CommandError if its size has changed */
export async function whole({ name, size, open }: UploadFile): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const some of await open()) parts.push(some)
  const bytes = Buffer.concat(parts)
  if (bytes.length === size) return bytes
  throw new CommandError(`${name} changed while it was being sent. Try again.`)
}

const offsetOf = ({ headers }: Response) => Number(headers.get('upload-offset') ?? 0)
