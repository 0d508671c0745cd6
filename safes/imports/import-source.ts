import { createHash } from 'node:crypto'
import { newId } from '../../common/secrets.js'
import {
  type Format,
  findFormat,
  formatByContent,
  formatOfFile,
  formats,
  type SourceFile,
  UnreadableFile,
} from '../../formats/readers/index.js'
import { NoteNames } from '../../formats/readers/note-names.js'
import type { Parsed } from '../../graph/model.js'
import type { DocumentWriter } from './document-writer.js'
import { filesToRead, formatInside, type ImportFiles, isNote } from './import-files.js'

/** As named by the pages and `--format`. */
const archive = { id: 'zip', title: 'Zip of notes or other files', extensions: ['zip'] }

/** Everything an import can be read from. */
export const importFormats: readonly Pick<Format, 'id' | 'title' | 'extensions'>[] = [...formats, archive]

/** Why an import was rejected, as a sentence for its owner. */
export class ImportRejected extends Error {}

/** Some records of one file; `file` names it when there are several. */
export interface Batch {
  file: string | null
  parsed: Parsed[]
}

/** Either a file or a folder. */
interface SourceOptions {
  source: string
  bytes?: AsyncIterable<Uint8Array>
  files?: ImportFiles
}

/** The file, archive or folder that an import reads, once. */
export class ImportSource {
  bytesRead = 0
  /** Whether reading the file failed, rather than writing to the database. */
  failed = false
  readonly #options: SourceOptions
  readonly #format: string
  readonly #spoolFolder: string
  readonly #hash = createHash('sha256')

  constructor(options: SourceOptions, format: string, spoolFolder: string) {
    this.#options = options
    this.#format = format
    this.#spoolFolder = spoolFolder
  }

  /** SHA-256 of all bytes read, hex. */
  contentHash(): string {
    return this.#hash.digest('hex')
  }

  /** `documents` takes what is read as documents. */
  async *read(documents: DocumentWriter): AsyncGenerator<Batch> {
    const { bytes, files, source } = this.#options
    if (files) {
      yield* this.#readFiles(files, true, documents)
    } else if (bytes && this.#format === archive.id) {
      yield* this.#readArchive(bytes, documents)
    } else {
      const format = findFormat(this.#format)
      if (!format || !bytes) throw new ImportRejected('There is nothing to read.')
      const file = { path: source, scope: newScope() }
      try {
        for await (const parsed of parse(format, this.#counted(bytes), file, documents))
          yield { file: null, parsed }
      } catch (error) {
        throw error instanceof UnreadableFile ? new ImportRejected(error.message) : error
      }
    }
  }

  async *#readArchive(bytes: AsyncIterable<Uint8Array>, documents: DocumentWriter): AsyncGenerator<Batch> {
    const { BadArchive, openArchive } = await import('./import-archive.js')
    const opened = await openArchive(this.#counted(bytes), this.#spoolFolder).catch(error => {
      throw error instanceof BadArchive ? new ImportRejected(error.message) : error
    })
    try {
      yield* this.#readFiles(opened, false, documents)
    } finally {
      opened.close()
    }
  }

  async *#readFiles(found: ImportFiles, isFolder: boolean, documents: DocumentWriter): AsyncGenerator<Batch> {
    const { problems, isExport } = found
    const files = filesToRead(found)
    for (const { file, problem } of problems) yield { file, parsed: [{ line: 1, problem }] }
    const isVault = !isExport && files.some(({ path }) => isNote(path))
    const notes = new NoteNames(files.map(({ path }) => path).filter(isNote))
    for (const { path, open } of files) {
      const format = formatInside(path, isVault)
      if (!format) continue
      if (isFolder) this.#hash.update(`\0${path}\0`)
      const bytes = isFolder ? async () => this.#counted(await open()) : open
      const file = { path, scope: newScope(), notes }
      for await (const parsed of readFile(format, file, bytes, documents)) yield { file: path, parsed }
    }
  }

  async *#counted(bytes: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of bytes) {
        const some: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
        this.#hash.update(some)
        this.bytesRead += some.length
        yield some
      }
    } catch (error) {
      this.failed = true
      throw error
    }
  }
}

/** The records of one of several files. A damaged file counts as a bad line. */
export async function* readFile(
  format: Format,
  file: SourceFile,
  open: () => Promise<AsyncIterable<Uint8Array>>,
  documents: DocumentWriter,
): AsyncGenerator<Parsed[]> {
  let line = 1
  const opened = async function* () {
    yield* await open()
  }
  const batches = parse(format, opened(), file, documents)
  try {
    for (;;) {
      const next = await batches.next().catch(error => ({ error }))
      if ('error' in next) return yield [{ line, problem: damaged(next.error) }]
      if (next.done) return
      line = next.value.at(-1)?.line ?? line
      yield next.value
    }
  } finally {
    await batches.return(undefined)
  }
}

/** Reads the file in its format, or in another with the same extension if its first bytes say so. */
async function* parse(
  format: Format,
  bytes: AsyncGenerator<Uint8Array>,
  file: SourceFile,
  documents: DocumentWriter,
): AsyncGenerator<Parsed[]> {
  const first = await bytes.next()
  const whole = async function* () {
    if (!first.done) yield first.value
    yield* bytes
  }
  try {
    const actual = formatByContent(format, first.value ?? new Uint8Array())
    const { id, isBinary = false, hasParts = false } = actual
    const kept = { id, keepsBytes: !isBinary && !hasParts, hasParts }
    const read = documents.file(kept, file.path, isBinary ? whole() : text(whole()))
    yield* actual.parse(read, { ...file, document: documents, formatInside: attachedFormat })
    // What follows may still be rows of the last passages, which belong to it.
    documents.end()
    yield []
  } finally {
    documents.end()
    await bytes.return(undefined)
  }
}

/** The format of a file inside another one. */
function attachedFormat(path: string, start: Uint8Array): Format | null {
  const format = formatOfFile(path)
  return format && formatByContent(format, start)
}

async function* text(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const some of bytes) {
    if (some.includes(0))
      throw new ImportRejected('The file contains NUL characters, so it is not UTF-8 text.')
    yield some
  }
}

function damaged(error: unknown): string {
  if (error instanceof ImportRejected || error instanceof UnreadableFile) return error.message
  return `It cannot be read from here on: ${(error as Error).message}.`
}

/** Distinguishes `_:b0` in one file from `_:b0` in every other file. */
const newScope = () => newId().slice(0, 10)
