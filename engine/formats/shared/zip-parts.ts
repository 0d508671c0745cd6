import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { UnreadableFile } from './format.js'
import { wholeOf } from './whole-file.js'
import { type XmlElement, xmlElements } from './xml-elements.js'
import { zipName } from './zip-name.js'

const MEBIBYTE = 1_048_576
/** Maximum files inside a document, MiB of one file, and MiB of all files read. */
const MAX_PARTS = 20_000
const MAX_PART_SIZE = 32
const MAX_UNPACKED = 256
/** Maximum MiB of all parts read as streams. */
const MAX_STREAMED = 1_024
/** Text rarely compresses better than this. Larger files above this ratio are zip bombs. */
const MAX_RATIO = 200

/** The files inside a zip-based document: Office, OpenDocument, EPUB. */
export class ZipParts {
  readonly #kind: string
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  #unpacked = 0
  #streamed = 0

  private constructor(kind: string, zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#kind = kind
    this.#zip = zip
    this.#entries = entries
  }

  /** @throws UnreadableFile */
  static async open(bytes: AsyncIterable<Uint8Array>, kind: string): Promise<ZipParts> {
    const whole = await wholeOf(bytes, kind)
    if (whole.subarray(0, 8).equals(OLD_OFFICE)) throw new UnreadableFile(PROTECTED_OR_OLD)
    try {
      const zip = await fromBufferPromise(whole, { decodeStrings: false })
      const entries = new Map<string, Entry>()
      for await (const entry of zip.eachEntry()) {
        if (entries.size >= MAX_PARTS) throw new UnreadableFile(`This ${kind} contains too many files.`)
        entries.set(zipName(entry), entry)
      }
      return new ZipParts(kind, zip, entries)
    } catch (error) {
      if (error instanceof UnreadableFile) throw error
      throw new UnreadableFile(`This is not a complete ${kind}.`)
    }
  }

  has(path: string): boolean {
    return this.#entries.has(path)
  }

  /** Uncompressed bytes of a part. */
  size(path: string): number {
    return this.#entries.get(path)?.uncompressedSize ?? 0
  }

  /** The paths of its files, in archive order. */
  get paths(): string[] {
    return [...this.#entries.keys()]
  }

  /** @throws UnreadableFile also if it unpacks to too much */
  async read(path: string): Promise<Buffer> {
    const entry = this.#entry(path)
    const { uncompressedSize } = entry
    this.#unpacked += uncompressedSize
    if (uncompressedSize > MAX_PART_SIZE * MEBIBYTE)
      throw new UnreadableFile(`“${path}” is larger than ${MAX_PART_SIZE} MiB.`)
    if (this.#unpacked > MAX_UNPACKED * MEBIBYTE)
      throw new UnreadableFile(`This ${this.#kind} unpacks to more than ${MAX_UNPACKED} MiB.`)
    const chunks: Uint8Array[] = []
    for await (const chunk of this.#bytes(path, entry)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  /** A part as text. @throws UnreadableFile */
  async string(path: string): Promise<string> {
    return (await this.read(path)).toString('utf8')
  }

  /** The elements of an XML part; empty if the document does not have it. @throws UnreadableFile */
  async elements(path: string): Promise<XmlElement[]> {
    return this.has(path) ? xmlElements(await this.string(path)) : []
  }

  /** A part larger than memory as text, in pieces. @throws UnreadableFile */
  async *text(path: string): AsyncGenerator<string> {
    const entry = this.#entry(path)
    this.#streamed += entry.uncompressedSize
    if (this.#streamed > MAX_STREAMED * MEBIBYTE)
      throw new UnreadableFile(`This ${this.#kind} unpacks to more than ${MAX_STREAMED} MiB.`)
    const decoder = new TextDecoder()
    for await (const chunk of this.#bytes(path, entry)) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  }

  #entry(path: string): Entry {
    const entry = this.#entries.get(path)
    if (!entry) throw new UnreadableFile(`“${path}” is missing in this ${this.#kind}.`)
    const { compressedSize, uncompressedSize } = entry
    if (uncompressedSize > MEBIBYTE && uncompressedSize > compressedSize * MAX_RATIO)
      throw new UnreadableFile(`“${path}” would unpack to more than ${MAX_RATIO} times its size.`)
    return entry
  }

  async *#bytes(path: string, entry: Entry): AsyncGenerator<Uint8Array> {
    try {
      // yauzl fails if there are more bytes than the entry declares.
      yield* await this.#zip.openReadStreamPromise(entry)
    } catch {
      throw new UnreadableFile(`“${path}” in this ${this.#kind} is damaged.`)
    }
  }
}

/** The signature of Office files that are encrypted or older than 2007. */
const OLD_OFFICE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const PROTECTED_OR_OLD =
  'This document has a password or is in the format of before 2007. Save it without a password, as .docx, .xlsx or .pptx.'
