import { randomUUID } from 'node:crypto'
import { close, fstat, open, write } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Entry, fromFdPromise, validateFileName, type ZipFile } from 'yauzl'
import { extensionOf, isNotionPart, zipName } from '../../../engine/formats/index.js'
import { trimEndOf } from '../../../engine/graph/index.js'
import { normalForm } from '../../../platform/common/normal-form.js'
import { Part } from '../../part.js'
import { EXPORT_MARK, type ImportFiles, isHidden, MAX_FILES } from './import-files.js'

/** The limits of an archive, together with the archives inside it. */
const LIMITS = {
  /** Maximum bytes of the archive itself, and of each one inside it. */
  bytes: 512 * 1024 * 1024,
  /** Maximum bytes of all its files together. */
  unpacked: 4 * 1024 * 1024 * 1024,
  files: MAX_FILES,
  /** Maximum archives inside the archive: each is an open file. */
  inner: 50,
}
type Limits = typeof LIMITS
/** Maximum compression ratio: text rarely compresses better, archive bombs do. */
const MAX_RATIO = 200
/** Smaller files may be compressed to any degree. */
const SMALL_FILE = 1024 * 1024
/** The same for all files together. Their ratio is to the size of the whole archive, because entries may share bytes. */
const SMALL_ARCHIVE = 16 * 1024 * 1024

/** The reason why an archive cannot be read, as a sentence for its owner. */
export class BadArchive extends Error {}

/** An archive on disk, open until `close`. */
export interface Archive extends ImportFiles {
  close(): void
}

/**
 * Spools the bytes to an unlinked file, because a zip's table of contents is at its end. Nothing stays on
 * disk, and nothing is unpacked to it.
 * @throws BadArchive
 */
export async function openArchive(
  bytes: AsyncIterable<Uint8Array>,
  folder: string,
  limits: Limits = LIMITS,
): Promise<Archive> {
  const zips: ZipFile[] = []
  const close = () => {
    for (const zip of zips) zip.close()
  }
  try {
    const fd = await spool(bytes, folder, limits.bytes)
    const listing = {
      found: { files: [], problems: [], hidden: 0, links: 0 },
      mostUnpacked: MAX_RATIO * (await sizeOf(fd)),
    }
    const contents = new Contents({ ...listing, zips, folder, limits })
    await contents.add(await openZip(fd, zips))
    return { ...listing.found, close }
  } catch (error) {
    close()
    throw error
  }
}

async function openZip(fd: number, zips: ZipFile[]): Promise<ZipFile> {
  const zip = await opened(fromFdPromise(fd, { decodeStrings: false, autoClose: false }))
  zips.push(zip)
  return zip
}

/** Returns a file descriptor that the zip reader closes. */
async function spool(bytes: AsyncIterable<Uint8Array>, folder: string, most: number): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const fd = await promisify(open)(path, 'wx+', 0o600)
  try {
    await rm(path)
    for await (const chunk of bounded(bytes, most)) await writeAll(fd, chunk)
    return fd
  } catch (error) {
    await promisify(close)(fd)
    throw error
  }
}

async function writeAll(fd: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await promisify(write)(fd, bytes, at)).bytesWritten
}

const sizeOf = async (fd: number) => (await promisify(fstat)(fd)).size

async function* bounded(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > most) throw new BadArchive('The archive is larger than 512 MiB.')
    yield chunk
  }
}

const CANNOT_BE_READ = 'This zip archive cannot be read'

async function opened<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening
  } catch (error) {
    throw new BadArchive(`${CANNOT_BE_READ}: ${reasonOf(error as Error)}`)
  }
}

function reasonOf({ message }: Error): string {
  if (message.startsWith('End of central directory')) return 'it is damaged, or not whole. Get it again.'
  return `${trimEndOf(message, '.')}.`
}

interface Listing {
  found: ImportFiles & { hidden: number; links: number }
  /** The limit derived from the archive's own size. */
  mostUnpacked: number
  /** All archives that have been opened. */
  zips: ZipFile[]
  /** The folder for spooled archives inside the archive. */
  folder: string
  limits: Limits
}

/** The contents of an archive and of the archives directly inside it, all within the limits of one. */
class Contents extends Part<Listing> {
  readonly #paths = new Set<string>()
  #count = 0
  #unpacked = 0

  /** `within`: empty, or the folder for an inner archive, with a slash; null for the archive itself. */
  async add(zip: ZipFile, within: string | null = null): Promise<void> {
    const { found, limits } = this.dependencies
    for await (const entry of opening(zip)) {
      if (++this.#count > limits.files) throw new BadArchive('The archive contains more than 50,000 files.')
      const path = `${within ?? ''}${pathOf(entry)}`
      if (path === EXPORT_MARK) found.isExport = true
      if (path.endsWith('/')) continue
      if (isHidden(path)) {
        found.hidden++
        continue
      }
      if (isLink(entry)) {
        found.links++
        continue
      }
      const problem = this.#paths.has(path)
        ? 'The archive contains this file twice.'
        : problemOf(entry, path, within !== null)
      this.#paths.add(path)
      if (problem) {
        found.problems.push({ file: path, problem })
        continue
      }
      this.#unpack(entry.uncompressedSize)
      if (extensionOf(path) === 'zip') await this.#addInner(zip, entry, path)
      else found.files.push({ path, open: () => zip.openReadStreamPromise(entry) })
    }
  }

  #unpack(bytes: number): void {
    const { limits, mostUnpacked } = this.dependencies
    this.#unpacked += bytes
    if (this.#unpacked > limits.unpacked)
      throw new BadArchive('The files in the archive are larger than 4 GiB in total.')
    if (this.#unpacked > SMALL_ARCHIVE && this.#unpacked > mostUnpacked)
      throw new BadArchive(`Its files would unpack to more than ${MAX_RATIO} times its size.`)
  }

  async #addInner(zip: ZipFile, entry: Entry, path: string): Promise<void> {
    const { folder, zips, found, limits } = this.dependencies
    if (zips.length > limits.inner) throw new BadArchive(`It contains more than ${limits.inner} archives.`)
    try {
      const fd = await spool(await zip.openReadStreamPromise(entry), folder, limits.bytes)
      const within = isNotionPart(path.slice(path.lastIndexOf('/') + 1)) ? '' : `${path.slice(0, -4)}/`
      await this.add(await openZip(fd, zips), within)
    } catch (error) {
      if (error instanceof BadArchive && !error.message.startsWith(CANNOT_BE_READ)) throw error
      found.problems.push({ file: path, problem: 'It is an archive that cannot be read.' })
    }
  }
}

/** The entries of the table of contents. Errors in it are errors of the archive. */
async function* opening(zip: ZipFile): AsyncGenerator<Entry> {
  const entries = zip.eachEntry()
  for (;;) {
    const { value, done } = await opened(entries.next())
    if (done) return
    yield value
  }
}

function pathOf(entry: Entry): string {
  const path = zipName(entry)
    .replaceAll('\\', '/')
    .replace(/\p{Cc}/gu, ' ')
  return normalForm(path, 'NFC').replace(/^(?:\.\/)+/, '')
}

const SYMLINK = 0o120000

const isLink = ({ externalFileAttributes }: Entry) => ((externalFileAttributes >>> 16) & 0o170000) === SYMLINK

/** Why a file of the archive cannot be read, or null. */
function problemOf(entry: Entry, path: string, isInner: boolean): string | null {
  const { compressedSize, uncompressedSize } = entry
  if (validateFileName(path) !== null) return 'Its path points outside the archive.'
  if (entry.isEncrypted()) return 'It is encrypted.'
  if (!entry.canDecodeFileData()) return 'Its compression method is not supported.'
  if (uncompressedSize > SMALL_FILE && uncompressedSize > compressedSize * MAX_RATIO) {
    return `It would unpack to more than ${MAX_RATIO} times its size.`
  }
  return isInner && extensionOf(path) === 'zip'
    ? 'It is an archive inside an archive inside the archive. Only one level is read.'
    : null
}
