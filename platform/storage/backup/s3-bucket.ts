import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { S3mini } from 's3mini'
import { readName } from './kept-backups.js'

/** A bucket of an S3-compatible service, and the prefix of the names in it. */
export interface S3Address {
  /** `https://HOST/BUCKET`. */
  endpoint: string
  /** Empty, or ends with a slash. */
  prefix: string
  region: string
  keyId: string
  secretKey: string
}

/** Size of a part of a large file, and of a copy's memory. S3 allows 10,000 parts. */
const PART_BYTES = 16 * 1024 * 1024
/** Timeout of a request, long enough for a part over a slow line. */
const REQUEST_MS = 600_000
/** Timeout for listing: a page may be waiting, and svc doctor waits ten seconds. */
const LIST_MS = 8_000

/** A copy of a backup in a bucket. */
export interface S3Copy {
  name: string
  at: number
  bytes: number
}

/** Backups in a bucket. Its errors contain neither keys nor any answer of the service except its code. */
export class S3Bucket {
  readonly #client: S3mini
  readonly #lister: S3mini
  readonly #prefix: string

  constructor({ endpoint, prefix, region, keyId, secretKey }: S3Address) {
    const options = { endpoint, region, accessKeyId: keyId, secretAccessKey: secretKey }
    this.#client = new S3mini({ ...options, requestAbortTimeout: REQUEST_MS })
    this.#lister = new S3mini({ ...options, requestAbortTimeout: LIST_MS })
    this.#prefix = prefix
  }

  /** The backups in it, newest first. Other files are left out. */
  list(): Promise<S3Copy[]> {
    return inWords(async () => {
      const objects = await this.#lister.listObjects('/', this.#prefix)
      if (!objects) throw new Error('The bucket does not exist.')
      const copies = objects.flatMap(({ Key, Size }) => {
        const name = Key.slice(this.#prefix.length)
        const said = readName(name)
        return said?.kind === 'made' ? [{ name, at: said.at, bytes: Number(Size) }] : []
      })
      return copies.sort((a, b) => b.at - a.at)
    })
  }

  /** Uploads a file, in parts if it is large. It appears when it is complete. */
  put(name: string, file: string): Promise<void> {
    return inWords(async () => {
      const handle = await open(file)
      try {
        const { size } = await handle.stat()
        const read = async (from: number) => {
          const bytes = Buffer.alloc(Math.min(PART_BYTES, size - from))
          await handle.read(bytes, 0, bytes.length, from)
          return bytes
        }
        if (size <= PART_BYTES) await this.#client.putObject(this.#prefix + name, await read(0))
        else await this.#putParts(this.#prefix + name, size, read)
      } finally {
        await handle.close()
      }
    })
  }

  async #putParts(key: string, size: number, read: (from: number) => Promise<Buffer>): Promise<void> {
    const client = this.#client
    const id = await client.getMultipartUploadId(key)
    try {
      const parts = []
      for (let from = 0; from < size; from += PART_BYTES)
        parts.push(await client.uploadPart(key, id, await read(from), parts.length + 1))
      await client.completeMultipartUpload(key, id, parts)
    } catch (error) {
      await client.abortMultipartUpload(key, id).catch(() => {})
      throw error
    }
  }

  /** Downloads a backup to a file, which appears when it is complete. */
  get(name: string, file: string): Promise<void> {
    return inWords(async () => {
      const response = await this.#client.getObjectResponse(this.#prefix + name)
      if (!response?.body) throw new Error('The bucket has no such backup.')
      const part = `${file}.part`
      try {
        const body = Readable.fromWeb(response.body as ReadableStream)
        await pipeline(body, createWriteStream(part, { mode: 0o600 }))
        renameSync(part, file)
      } finally {
        rmSync(part, { force: true })
      }
    })
  }

  async remove(name: string): Promise<void> {
    await inWords(() => this.#client.deleteObject(this.#prefix + name))
  }
}

/** Answers of the service may repeat signed data, so only the code is shown. */
async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { status, serviceCode, code, cause } = error as {
      status?: number
      serviceCode?: string
      code?: string
      cause?: { code?: string }
    }
    if (status !== undefined)
      throw new Error(`S3 answered ${[status, serviceCode].filter(Boolean).join(' ')}.`)
    const reason = cause?.code ?? code
    if (reason !== undefined) throw new Error(`S3 could not be reached: ${reason}.`)
    throw error
  }
}
