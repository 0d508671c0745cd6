import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../common/domain-error.js'
import { newId } from '../../common/secrets.js'
import { messages } from '../../messages.js'

/** A received form: its fields and its files. */
export interface Upload {
  fields: Map<string, string>
  files: UploadedFile[]
}

export interface UploadedFile {
  fileName: string
  bytesTotal: number
  /** The file's bytes. The file is deleted once they have been read or discarded. */
  open(): Readable
  /** Deletes the file, even if it has been opened. */
  discard(): Promise<void>
}

/**
 * Receives a form with files into `uploads/` in the data folder, so that reading them can continue after the
 * response. `check` gets the CSRF token before the first byte of a file is kept, so the form sends it first.
 */
export type Receive = (request: FastifyRequest, check: (token: string | undefined) => void) => Promise<Upload>

/** Creates the folder and empties it: files left by a crash belong to imports that no longer exist. */
export async function openUploads(dataDir: string): Promise<Receive> {
  const folder = join(dataDir, 'uploads')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })

  return async (request, check) => {
    const fields = new Map<string, string>()
    const files: UploadedFile[] = []
    if (!request.isMultipart()) {
      check(undefined)
      return { fields, files }
    }
    try {
      for await (const part of request.parts()) {
        if (part.type === 'field') {
          fields.set(part.fieldname, String(part.value))
          continue
        }
        check(fields.get('_csrf'))
        if (part.filename) files.push(await keep(join(folder, newId()), part.file, part.filename))
        else part.file.resume()
      }
      if (files.length === 0) check(fields.get('_csrf'))
      return { fields, files }
    } catch (error) {
      for (const file of files) await file.discard()
      throw isMalformed(error) ? new DomainError(400, 'bad_upload', messages.imports.badUpload) : error
    }
  }
}

/** Errors of the multipart parser have no status; disk errors name a system call. */
function isMalformed(error: unknown): boolean {
  return (
    error instanceof Error &&
    !(error instanceof DomainError) &&
    !('statusCode' in error) &&
    !('syscall' in error)
  )
}

async function keep(
  path: string,
  file: Readable & { bytesRead: number },
  fileName: string,
): Promise<UploadedFile> {
  let bytes: Readable | undefined
  const discard = async () => {
    bytes?.destroy()
    await rm(path, { force: true })
  }
  try {
    await pipeline(file, createWriteStream(path, { mode: 0o600 }))
  } catch (error) {
    await discard()
    throw error
  }
  const open = () => {
    bytes = createReadStream(path).once('close', () => void discard())
    // Readers get the error from their own stream. Without a reader, an unhandled error would end the
    // process.
    return bytes.on('error', () => {})
  }
  return { fileName, bytesTotal: file.bytesRead, open, discard }
}
