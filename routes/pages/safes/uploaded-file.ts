import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A file of a form, kept in the data folder until it has been read. */
export interface UploadedFile {
  fileName: string
  bytesTotal: number
  /** The file's bytes. The file is deleted once they have been read or discarded. */
  open(): Readable
  /** Deletes the file, even if it has been opened. */
  discard(): Promise<void>
}

/** Writes a file of a form to `path`. `onDeleted` is called once, when it has been read or discarded. */
export async function keepFile(
  path: string,
  file: Readable & { bytesRead: number },
  fileName: string,
  onDeleted: () => Promise<void>,
): Promise<UploadedFile> {
  let bytes: Readable | undefined
  let deleting: Promise<void> | undefined
  const discard = () => {
    bytes?.destroy()
    deleting ??= rm(path, { force: true }).then(onDeleted)
    return deleting
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
