import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../../platform/common/domain-error.js'
import { newId } from '../../../platform/common/secrets.js'
import { importsTexts } from '../../../views/texts/imports.js'
import { MAX_FILES } from './upload-form.js'
import { keepFile, type UploadedFile } from './uploaded-file.js'

/** A received form: its fields and its files. */
export interface ReceivedForm {
  fields: Map<string, string>
  files: UploadedFile[]
}

/** Checks before the first byte of a file is stored. */
interface UploadAdmission {
  /** Receives the CSRF token, which the form therefore sends first. */
  check(token: string | undefined): void
  /** Reserves space for all files of the form; the returned function releases it. @throws DomainError 429 */
  reserve(fileName: string, bytes: number): Promise<() => Promise<void>>
}

/**
 * Receives a form with files into `uploads/` in the data folder, so that reading them can continue after the
 * response. Their space is released when the last of them is deleted.
 */
export type Receive = (request: FastifyRequest, admission: UploadAdmission) => Promise<ReceivedForm>

/** Creates the folder and empties it: files left by a crash belong to imports that no longer exist. */
export async function openUploads(dataDir: string, onError: (error: unknown) => void): Promise<Receive> {
  const folder = join(dataDir, 'uploads')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })

  return async (request, { check, reserve }) => {
    const fields = new Map<string, string>()
    const files: UploadedFile[] = []
    if (!request.isMultipart()) {
      check(undefined)
      return { fields, files }
    }
    let giveBack: (() => Promise<void>) | undefined
    let kept = 0
    const onDeleted = async () => {
      if (--kept === 0) await giveBack?.().catch(onError)
    }
    try {
      for await (const part of request.parts()) {
        if (part.type === 'field') {
          fields.set(part.fieldname, String(part.value))
          continue
        }
        check(fields.get('_csrf'))
        if (!part.filename) {
          part.file.resume()
          continue
        }
        giveBack ??= await reserve(part.filename, lengthOf(request))
        kept++
        files.push(await keepFile(join(folder, newId()), part.file, part.filename, onDeleted))
      }
      if (files.length === 0) check(fields.get('_csrf'))
      return { fields, files }
    } catch (error) {
      for (const file of files) await file.discard()
      if ((error as { code?: string }).code === 'FST_FILES_LIMIT')
        throw new DomainError(400, 'too_many_files', importsTexts.tooManyFiles(MAX_FILES))
      throw isMalformed(error) ? new DomainError(400, 'bad_upload', importsTexts.badUpload) : error
    }
  }
}

/** At least the bytes of its files. @throws DomainError 411: browsers send the length of a form */
function lengthOf({ headers }: FastifyRequest): number {
  const length = headers['content-length']
  if (length === undefined) throw new DomainError(411, 'length_required', importsTexts.noLength)
  return Number(length)
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
