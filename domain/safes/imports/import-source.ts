import { createHash } from 'node:crypto'
import {
  FORMATS,
  type Format,
  findFormat,
  identify,
  image,
  isNotion,
  lineBreaksIn,
  NoteNames,
  noteIds,
  notionPaths,
  notionText,
  OtherFile,
  type SourceFile,
  type TableSink,
  type TableSummary,
  UnreadableFile,
  utf8Of,
  wholeImage,
  withoutCuts,
  withoutNotionIds,
} from '../../../engine/formats/index.js'
import type { Parsed } from '../../../engine/graph/index.js'
import { newId } from '../../../platform/common/secrets.js'
import { Part } from '../../part.js'
import type { ImportReport } from '../safe.js'
import type { DocumentWriter } from './document-writer.js'
import { chooseFiles, type ImportFile, type ImportFiles, isNote, leaveOutNamed } from './import-files.js'

/** As named on pages and by `--format`. */
const ARCHIVE = { id: 'zip', title: 'Zip of notes or other files', extensions: ['zip'] }

/** Everything an import can be read from. */
export const IMPORT_FORMATS: readonly Pick<Format, 'id' | 'title' | 'extensions'>[] = [...FORMATS, ARCHIVE]

/** Maximum tables whose reading is reported. */
const MAX_TABLES = 5
/** Maximum remarks that are kept. */
const MAX_REMARKS = 20

/** The reason why an import was rejected, as a sentence for its owner. */
export class ImportRejected extends Error {}

/** Left out files, the first tables, remarks, and the format of the bytes if it differs from that of the name; if there are any. */
export type SourceReport = Pick<ImportReport, 'leftOut' | 'tables' | 'remarks' | 'format'>

/** Some records of one file; `file` names it when there are several. */
interface Batch {
  file: string | null
  parsed: Parsed[]
}

/** Either a file or a folder. */
interface SourceOptions {
  source: string
  format: string
  spoolFolder: string
  /** The format comes from the file's name; its bytes may show another. */
  isGuess?: boolean
  /** The header of the column with the names of the rows, in tables. */
  nameColumn?: string
  bytes?: AsyncIterable<Uint8Array>
  files?: ImportFiles
}

/** The file, archive or folder that an import reads, once. */
export class ImportSource extends Part<SourceOptions> {
  bytesRead = 0
  /** What the import's report says besides its counts and bad lines, once everything has been read. */
  readonly report: SourceReport = {}
  readonly #hash = createHash('sha256')

  /** SHA-256 of all bytes read, hex. */
  contentHash(): string {
    return this.#hash.digest('hex')
  }

  /** `documents` receives the documents that are read. */
  async *read(documents: DocumentWriter): AsyncGenerator<Batch> {
    const { bytes, files } = this.dependencies
    if (files) return yield* this.#readFiles(files, true, documents)
    if (!bytes) throw new ImportRejected('There is nothing to read.')
    const counted = this.#counted(bytes)
    try {
      const { start, all } = await begun(counted)
      const format = this.dependencies.isGuess ? this.#formatOf(start) : this.dependencies.format
      if (format === ARCHIVE.id) yield* this.#readArchive(all, documents)
      else yield* this.#readFile(format, all, documents)
    } catch (error) {
      throw error instanceof UnreadableFile ? new ImportRejected(error.message) : error
    } finally {
      await counted.return(undefined)
    }
  }

  /** @throws UnreadableFile */
  #formatOf(start: Uint8Array): string {
    const found = identify(this.dependencies.source, start)
    if (found === null) return this.dependencies.format
    if ('unreadable' in found) throw new UnreadableFile(found.unreadable)
    const format = 'archive' in found ? ARCHIVE.id : found.format.id
    if (format !== this.dependencies.format) this.report.format = format
    return format
  }

  async *#readFile(
    id: string,
    bytes: AsyncGenerator<Uint8Array>,
    documents: DocumentWriter,
  ): AsyncGenerator<Batch> {
    const format = findFormat(id)
    if (!format) throw new ImportRejected('There is nothing to read.')
    const remark = remarkIn(this.report, null)
    const file = { path: this.dependencies.source, scope: newScope(), tables: this.#tableSink(), remark }
    for await (const parsed of parse(format, bytes, file, documents)) yield { file: null, parsed }
  }

  async *#readArchive(bytes: AsyncIterable<Uint8Array>, documents: DocumentWriter): AsyncGenerator<Batch> {
    const { BadArchive, openArchive } = await import('./import-archive.js')
    const opened = await openArchive(bytes, this.dependencies.spoolFolder).catch(error => {
      throw error instanceof BadArchive ? new ImportRejected(error.message) : error
    })
    try {
      yield* this.#readFiles(opened, false, documents)
    } finally {
      opened.close()
    }
  }

  async *#readFiles(files: ImportFiles, isFolder: boolean, documents: DocumentWriter): AsyncGenerator<Batch> {
    const { read, leftOut } = chooseFiles(files)
    for (const { file, problem } of files.problems) yield { file, parsed: [{ line: 1, problem }] }
    const tables = this.#tableSink()
    const paths = notionPaths(read.map(({ file }) => file.path))
    const databases = databasesIn(files.files)
    const ids = await noteIds(read.map(({ file: { open } }, at) => ({ path: paths[at] ?? '', open })))
    const notes = new NoteNames(paths.filter(isNote), ids)
    const names = new Map<string, string>()
    const hasLineBreaks = await lineBreaksIn(files.files)
    for (const [at, { file, format, isBesideNotes }] of read.entries()) {
      const path = paths[at] ?? file.path
      const lineBreaks = hasLineBreaks(file.path)
      // With other line breaks, the same notes are another import.
      if (isFolder) this.#hash.update(`\0${path}\0${lineBreaks ? 'lines\0' : ''}`)
      const bytes = isFolder ? async () => this.#counted(await file.open()) : file.open
      const notion = isNotion(file.path) ? { notion: { database: databases(path) } } : {}
      const remark = remarkIn(this.report, path)
      const source = { path, scope: newScope(), notes, names, tables, remark, lineBreaks, ...notion }
      const batches = readFile(format, source, bytes, documents, (_, isOther) => {
        if (isOther || isBesideNotes) leaveOutNamed(leftOut, isOther ? 'unknown' : 'unreadable', path)
        return isOther || isBesideNotes
      })
      for await (const parsed of batches) yield { file: path, parsed }
    }
    if (leftOut.length > 0) this.report.leftOut = leftOut
  }

  #tableSink(): TableSink {
    const { nameColumn } = this.dependencies
    const add = (table: TableSummary) => {
      this.report.tables = [...(this.report.tables ?? []), table].slice(0, MAX_TABLES)
    }
    return { rows: new Map(), add, ...(nameColumn === undefined ? {} : { nameColumn }) }
  }

  async *#counted(bytes: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      const some: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      this.#hash.update(some)
      this.bytesRead += some.length
      yield some
    }
  }
}

/** Adds to the remarks of a report, for `SourceFile.remark`. `file` is null if there is only one. */
export function remarkIn(
  report: SourceReport,
  file: string | null,
): (line: number, sentence: string) => void {
  return (line, problem) => {
    report.remarks ??= { count: 0, first: [] }
    report.remarks.count++
    if (report.remarks.first.length < MAX_REMARKS)
      report.remarks.first.push({ ...(file === null ? {} : { file }), line, problem })
  }
}

/** The name of the Notion database that contains a page: its rows are in the folder next to its table. */
function databasesIn(files: readonly ImportFile[]): (path: string) => string | null {
  const tables = files.filter(({ path }) => path.endsWith('.csv') && isNotion(path))
  const folders = new Set(tables.map(({ path }) => withoutNotionIds(path).slice(0, -4)))
  return path => {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    return folders.has(folder) ? folder.slice(folder.lastIndexOf('/') + 1) : null
  }
}

/**
 * The records of one of several files. A damaged file counts as a bad line. An unreadable one is left out if
 * `isLeftOut`, which receives the reason, returns true.
 */
export async function* readFile(
  format: Format,
  file: SourceFile,
  open: () => Promise<AsyncIterable<Uint8Array>>,
  documents: DocumentWriter,
  isLeftOut: (problem: string, isOther: boolean) => boolean = () => false,
): AsyncGenerator<Parsed[]> {
  let line = 1
  let hasText = false
  const opened = async function* () {
    yield* await open()
  }
  const batches = parseOneOf(format, opened(), file, documents)
  try {
    for (;;) {
      const next = await batches.next().catch(error => ({ error }))
      if ('error' in next) {
        const isOther = next.error instanceof OtherFile
        const problem = damaged(next.error)
        if (!hasText && isLeftOut(problem, isOther)) return
        // A file that only has the name of a picture is not missed.
        if (!isOther || format !== image) yield [{ line, problem }]
        return
      }
      if (next.done) return
      line = next.value.at(-1)?.line ?? line
      hasText ||= next.value.some(item => 'problem' in item || item.record.kind === 'passage')
      yield next.value
    }
  } finally {
    await batches.return(undefined)
  }
}

/** Reads the file in its format. */
async function* parse(
  format: Format,
  bytes: AsyncGenerator<Uint8Array>,
  file: SourceFile,
  documents: DocumentWriter,
): AsyncGenerator<Parsed[]> {
  try {
    const { id, isBinary = false, hasParts = false, isRewritten = false } = format
    const keepsBytes = format.keepsBytes ?? (!isBinary && !hasParts && !isRewritten)
    const kept = { id, keepsBytes, hasParts, lineBreaks: file.lineBreaks }
    const whole = format.isFolded ? withoutCuts(bytes) : file.notion ? notionText(bytes, file) : bytes
    const tell = (charset: string) => file.remark?.(1, readAs(charset))
    const read = documents.file(
      kept,
      file.path,
      isBinary ? bytes : text(whole, format.mayBeLegacy === true, tell),
    )
    yield* format.parse(read, { ...file, document: documents, formatInside: attachedFormat })
    // The next records may still be rows of the last passages, which belong to it.
    documents.end()
    yield []
  } finally {
    documents.end()
    await bytes.return(undefined)
  }
}

/** The format of a file inside another one. */
function attachedFormat(path: string, start: Uint8Array): Format | null {
  const found = identify(path, start)
  return found && 'format' in found ? found.format : null
}

/** Reads one of several files, in the format that its first bytes show. */
async function* parseOneOf(
  format: Format,
  bytes: AsyncGenerator<Uint8Array>,
  file: SourceFile,
  documents: DocumentWriter,
): AsyncGenerator<Parsed[]> {
  try {
    if (format === image) return yield* parse(format, only(await wholeImage(bytes)), file, documents)
    const { start, all } = await begun(bytes)
    yield* parse(formatInFile(file.path, start, format), all, file, documents)
  } finally {
    await bytes.return(undefined)
  }
}

async function* only(bytes: Uint8Array) {
  yield bytes
}

/** Reads the first chunk, and returns all chunks. */
async function begun(bytes: AsyncGenerator<Uint8Array>) {
  const first = await bytes.next()
  const all = async function* () {
    if (!first.done) yield first.value
    yield* bytes
  }
  return { start: first.value ?? new Uint8Array(), all: all() }
}

/** The format of one of several files, chosen by its name. @throws UnreadableFile */
function formatInFile(path: string, start: Uint8Array, named: Format): Format {
  const found = identify(path, start)
  if (found === null) return named
  if ('unreadable' in found)
    throw found.isOther ? new OtherFile(found.unreadable) : new UnreadableFile(found.unreadable)
  if ('archive' in found)
    throw new UnreadableFile('It is an archive inside the archive. Nested archives are not read.')
  return found.format
}

/** The text as UTF-8. @throws ImportRejected if it is not text */
async function* text(
  bytes: AsyncIterable<Uint8Array>,
  isLegacy: boolean,
  tell: (charset: string) => void,
): AsyncGenerator<Uint8Array> {
  for await (const some of utf8Of(bytes, isLegacy, tell)) {
    if (some.includes(0)) throw new ImportRejected('The file contains NUL characters, so it is not text.')
    yield some
  }
}

const readAs = (charset: string) =>
  charset === 'utf-8'
    ? 'Some bytes of this text are not UTF-8. They are shown as “\ufffd”.'
    : `This text is not in UTF-8. It was read as ${charset}; if letters are wrong, save it as UTF-8.`

function damaged(error: unknown): string {
  if (error instanceof ImportRejected || error instanceof UnreadableFile) return error.message
  return `It cannot be read from here on: ${(error as Error).message}.`
}

/** Distinguishes `_:b0` in one file from `_:b0` in every other file. */
const newScope = () => newId().slice(0, 10)
