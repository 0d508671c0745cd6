import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { parseDocument } from '../../rendering/document.js'
import { linkTargets } from '../../routes/pages/documents/links.js'
import { ImportStore } from '../../safes/stores/import.sql.js'
import { sqliteDriver } from '../../storage/sqlite/load-driver.js'
import { type ZipEntry, zip } from '../../test/zip.js'

const TIMES = 5

/** The notes of a folder. */
export function notesIn(folder: string): ZipEntry[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter(name => /\.md$/i.test(name) && !/(^|\/)\./.test(name))
    .map(name => ({ name, content: readFileSync(join(folder, name)) }))
}

/** Imports the notes into a Safe of its own. Returns its id, and the processor time of this process in milliseconds. */
export async function imported(app: FastifyInstance, owner: string, notes: ZipEntry[]) {
  const { id } = await app.safes.create(owner, 'Vault')
  const before = process.cpuUsage()
  const bytes = Readable.from([zip(notes)])
  const { problem } = await app.safes.imports.add(owner, id, { source: 'vault.zip', bytes, commit: true })
  if (problem !== null) throw new Error(problem)
  const { user, system } = process.cpuUsage(before)
  return { id, ms: (user + system) / 1000 }
}

/** By how much keeping documents slows imports down in the process that writes: the fastest of five of each. */
export async function slowdown(app: FastifyInstance, owner: string, notes: ZipEntry[]): Promise<number> {
  const { append } = ImportStore.prototype
  const fastest = { with: Number.POSITIVE_INFINITY, without: Number.POSITIVE_INFINITY }
  for (let time = 0; time < TIMES; time++)
    for (const how of ['with', 'without'] as const) {
      if (how === 'without')
        ImportStore.prototype.append = function (safeId, importId, rows, lease) {
          return append.call(this, safeId, importId, { ...rows, documents: [], documentTexts: [] }, lease)
        }
      const { ms } = await imported(app, owner, notes).finally(() => {
        ImportStore.prototype.append = append
      })
      fastest[how] = Math.min(fastest[how], ms)
    }
  return fastest.with / fastest.without - 1
}

/** How many times as large the database is as without documents. */
export async function storageRatio(database: string): Promise<number> {
  const [driver, file] = [await sqliteDriver(), `${database}.copy`]
  const source = driver.open(database, 10_000)
  await source.backup(file)
  source.close()
  const db = driver.open(file, 10_000)
  const size = () => {
    db.exec('vacuum')
    db.exec('pragma wal_checkpoint(truncate)')
    return statSync(file).size
  }
  const whole = size()
  db.exec('drop table documents; drop table document_texts; drop index if exists passages_document')
  db.exec('update passages set document_id = null, line = null')
  const ratio = whole / size()
  db.close()
  return ratio
}

/** Links to notes: how many there are, and those that lead nowhere although a note has that path or name. */
export async function links(app: FastifyInstance, owner: string, safeId: string, notes: ZipEntry[]) {
  const paths = new Set(notes.map(({ name }) => withoutEnding(String(name))))
  const names = new Set([...paths].map(path => posix.basename(path)))
  const dead: string[] = []
  let count = 0
  for (const { name, content } of notes) {
    const { targets } = parseDocument('markdown', String(content))
    const found = await linkTargets(app.safes, owner, safeId, String(name), targets)
    for (const target of targets) {
      const path = withoutEnding(target)
      const beside = posix.join(posix.dirname(withoutEnding(String(name))), path)
      if (!paths.has(path) && !paths.has(beside) && !(names.has(path) && !path.includes('/'))) continue
      count++
      if (!found.has(target)) dead.push(`${name}: ${target}`)
    }
  }
  return { count, dead }
}

const withoutEnding = (path: string) => path.replace(/\.md$/i, '').toLowerCase()
