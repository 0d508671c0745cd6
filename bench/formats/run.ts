// npm run bench -- formats FOLDER… [--list] [--only=FORMAT] — every file of the folders (and in them) in a reading process as the service starts it: per format
// the share that is read, and seconds and memory for the largest. `--list` names each file that is not read, and why.
// Corpora used for docs/benchmarks.md: the test files of postalsys/postal-mime, nodemailer/mailparser, mikel/mail,
// stalwartlabs/mail-parser (mail), kewisch/ical.js (calendars, contacts), obsidianmd/obsidian-importer (notes exports),
// apache/poi and SheetJS/test_files (workbooks, presentations), jgm/pandoc and joniles/rtfparserkit (ODT, RTF),
// graphql-compose/graphql-compose-examples (Northwind as CSV), schemaorg/schemaorg (CSV, RDF/XML, Turtle).
import { createReadStream, readFileSync } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from '../../common/child.js'
import { identify } from '../../formats/identify.js'
import { FileReaders } from '../../safes/imports/file-readers.js'

const READER = new URL('../../safes/imports/file-readers.ts', import.meta.url).href
const ACCOUNT = 'bench'

interface Read {
  path: string
  format: string
  bytes: number
  seconds: number
  /** Highest memory of the reading process. */
  megabytes: number
  records: { documents: number; passages: number; relations: number }
  problem: string | null
}

const folders = process.argv.slice(2).filter(option => !option.startsWith('--'))
const isListed = process.argv.includes('--list')
const only = process.argv.find(option => option.startsWith('--only='))?.slice(7)
const reads: Read[] = []
let pid = 0
let readers = newReaders()
for (const folder of folders) for await (const path of filesBelow(folder)) await add(path)
await print()
await readers.close()

async function add(path: string): Promise<void> {
  const format = await formatOf(path)
  if (format !== undefined && (only === undefined || only === format)) reads.push(await read(path, format))
}

/** What the file is, as the service tells it. */
async function formatOf(path: string): Promise<string | undefined> {
  const file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536, 0)
  await file.close()
  const found = identify(path, buffer.subarray(0, bytesRead))
  if (found === null || 'unreadable' in found) return undefined
  return 'archive' in found ? 'zip' : found.format.id
}

function newReaders(): FileReaders {
  return new FileReaders(undefined, limits => {
    const child = startChild('reader-worker', READER, limits)
    pid = child.pid ?? 0
    return child
  })
}

/** The file in a process of its own, which is already started. */
async function readAlone({ path, format }: Read): Promise<Read> {
  await readers.close()
  readers = newReaders()
  await read(fileURLToPath(import.meta.url), 'text')
  return read(path, format)
}

async function read(path: string, format: string): Promise<Read> {
  const { size: bytes } = await stat(path)
  const records = { documents: 0, passages: 0, relations: 0 }
  let problem: string | null = null
  let megabytes = 0
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, highest(pid))
  }, 20)
  const started = performance.now()
  try {
    const reading = { source: path.slice(path.lastIndexOf('/') + 1), bytes: createReadStream(path) }
    const job = { format, spoolFolder: tmpdir() }
    for await (const piece of readers.read(ACCOUNT, job, reading, new AbortController().signal)) {
      megabytes = Math.max(megabytes, highest(pid))
      records.documents += piece.rows?.documents.length ?? 0
      records.passages = piece.counts.passages
      records.relations = piece.counts.relations
      const [bad] = piece.badLines
      if (bad) problem ??= `line ${bad.line}: ${bad.problem}`
    }
    if (records.passages + records.relations === 0) problem ??= 'Nothing was found in it.'
  } catch (error) {
    problem = (error as Error).message
  } finally {
    clearInterval(watch)
  }
  return { path, format, bytes, seconds: (performance.now() - started) / 1000, megabytes, records, problem }
}

function highest(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !entry.name.startsWith('.')) yield* filesBelow(path)
    else if (entry.isFile()) yield path
  }
}

async function print(): Promise<void> {
  for (const format of new Set(reads.map(({ format }) => format))) {
    const some = reads.filter(read => read.format === format)
    const good = some.filter(({ problem }) => problem === null)
    const [first] = good.toSorted((a, b) => b.bytes - a.bytes)
    const largest = first && (await readAlone(first))
    console.log(
      `${format}: ${good.length} of ${some.length} (${((good.length / some.length) * 100).toFixed(1)} %)` +
        (largest
          ? `; largest ${(largest.bytes / 1e6).toFixed(2)} MB: ${largest.seconds.toFixed(2)} s, ${largest.megabytes.toFixed(0)} MB, ` +
            `${largest.records.documents} documents, ${largest.records.passages} passages, ${largest.records.relations} relations`
          : ''),
    )
    if (!isListed) continue
    for (const { path, problem } of some) if (problem !== null) console.log(`  ${path}: ${problem}`)
  }
}
