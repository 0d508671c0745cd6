import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../../platform/common/secrets.js'
import type { FoundFile } from '../sync/plan.js'
import { uploadErrors } from './errors.js'
import { type ManifestFile, readManifest } from './manifest.js'

/** A content as it arrives. `sha256`: as its sender declares it. */
export interface SentContent {
  sha256: string | null
  bytes: AsyncIterable<Uint8Array>
}

/** The files of a sync run on disk: `manifest`, `wanted`, and each content that has arrived, named by its SHA-256. */
export class RunFolder {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  async create(files: readonly ManifestFile[], wanted: readonly string[]): Promise<void> {
    await mkdir(this.#path, { mode: 0o700 })
    await writeFile(join(this.#path, 'manifest'), files.map(file => JSON.stringify(file)).join('\n'))
    await this.want(wanted)
  }

  async manifest(): Promise<ManifestFile[]> {
    return readManifest(createReadStream(join(this.#path, 'manifest')))
  }

  /** The names of all files here. */
  async contents(): Promise<Set<string>> {
    return new Set(await readdir(this.#path))
  }

  async want(wanted: readonly string[]): Promise<void> {
    const file = join(this.#path, 'wanted')
    await writeFile(`${file}-new`, wanted.join('\n'))
    await rename(`${file}-new`, file)
  }

  /** The missing contents. @throws DomainError 410 if the folder is not here */
  async wanted(): Promise<string[]> {
    const here = await this.contents().catch(() => new Set<string>())
    if (!here.has('wanted')) throw uploadErrors.expired()
    const wanted = await readFile(join(this.#path, 'wanted'), 'utf8')
    return wanted.split('\n').filter(sha256 => sha256 !== '' && !here.has(sha256))
  }

  /** Stores the wanted contents. Returns how many are still wanted. @throws DomainError 400, 410, 413 */
  async receive(contents: AsyncIterable<SentContent>): Promise<number> {
    const wanted = new Set(await this.wanted())
    const sizes = new Map((await this.manifest()).map(({ sha256, size }) => [sha256, size]))
    for await (const { sha256, bytes } of contents) {
      const part = join(this.#path, `part-${newId()}`)
      try {
        const most = sha256 === null ? null : (sizes.get(sha256) ?? null)
        const found = await keep(bytes, part, most)
        if (sha256 !== null && sizes.has(sha256) && found !== sha256) throw uploadErrors.wrongContent(sha256)
        if (!wanted.has(found)) continue
        await rename(part, join(this.#path, found))
        wanted.delete(found)
      } finally {
        await rm(part, { force: true })
      }
    }
    return wanted.size
  }

  /** A file of the manifest, in the form of a file found in a folder. */
  file({ path, size, sha256, line_breaks: lineBreaks = false }: ManifestFile): FoundFile {
    const contentHash = Buffer.from(sha256, 'hex').toString('base64url')
    const open = async () => createReadStream(join(this.#path, sha256))
    return { path, size, modifiedAt: 0, contentHash, lineBreaks, open }
  }

  async remove(): Promise<void> {
    await rm(this.#path, { recursive: true, force: true })
  }
}

/** Writes a content into a file and returns its SHA-256. `most`: maximum bytes read. */
async function keep(bytes: AsyncIterable<Uint8Array>, path: string, most: number | null): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  let left = most ?? Number.POSITIVE_INFINITY
  try {
    for await (const some of bytes) {
      left -= some.length
      if (left < 0) throw uploadErrors.tooMuch()
      hash.update(some)
      await file.appendFile(some)
    }
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}
