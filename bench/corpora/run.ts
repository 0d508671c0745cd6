// npm run bench -- corpora FOLDER [--list] — reads every file below FOLDER as a separate import: how many of each
// format are read, seconds and memory for the largest. --list names every other file and the reason why it is not read. Exits with 1
// if a file breaks the reader instead of being refused. The corpora of docs/corpora.md are public and not copied.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, relative } from 'node:path'
import { type FileRead, formatOf, Readers } from './read-file.js'

interface Row {
  files: number
  outcomes: Record<FileRead['outcome'], number>
  largest: { path: string; bytes: number } | null
}

const [folder, ...flags] = process.argv.slice(2)
if (folder === undefined) throw new Error('npm run bench -- corpora FOLDER [--list]')
const spoolFolder = mkdtempSync(join(tmpdir(), 'svc-bench-corpora-'))
try {
  await run(folder, flags.includes('--list'))
} finally {
  rmSync(spoolFolder, { recursive: true })
}

async function run(folder: string, isListed: boolean): Promise<void> {
  const rows = new Map<string, Row>()
  const readers = new Readers(spoolFolder)
  for (const path of filesIn(folder)) {
    const format = await formatOf(path).catch(() => `other ${extname(path)}`)
    const { outcome, reason } = await readers.read(path)
    const row = rows.get(format) ?? newRow()
    rows.set(format, row)
    row.files++
    row.outcomes[outcome]++
    const bytes = statSync(path).size
    if (outcome === 'read' && bytes > (row.largest?.bytes ?? -1)) row.largest = { path, bytes }
    if (isListed && outcome !== 'read') console.log(`${outcome}: ${relative(folder, path)}: ${reason}`)
    if (outcome === 'failed') process.exitCode = 1
  }
  await readers.close()
  console.log('| format | files | read | bad lines | refused | broken | largest |')
  console.log('|---|---:|---:|---:|---:|---:|---|')
  for (const [format, { files, outcomes, largest }] of [...rows].sort()) {
    const { read, refused, failed } = outcomes
    const figures = [files, read, outcomes['bad lines'], refused, failed].join(' | ')
    console.log(`| ${format} | ${figures} | ${largest ? await costOf(largest) : ''} |`)
  }
}

/** In a separate process, because the reader's peak memory covers all files it has read. */
async function costOf({ path, bytes }: { path: string; bytes: number }): Promise<string> {
  const readers = new Readers(spoolFolder)
  const { seconds } = await readers.read(path)
  const peak = readers.peakMb()
  await readers.close()
  return `${sizeOf(bytes)}: ${seconds.toFixed(1)} s, ${peak.toFixed(0)} MB`
}

function newRow(): Row {
  return { files: 0, outcomes: { read: 0, 'bad lines': 0, refused: 0, failed: 0 }, largest: null }
}

function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}
