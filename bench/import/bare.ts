import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../platform/storage/open-database.js'
import { sqliteDriver } from '../../platform/storage/sqlite/load-driver.js'
import type { SqliteFile } from '../../platform/storage/sqlite/sqlite-driver.js'
import { timed } from '../figures.js'

const TABLES = [
  'entities',
  'aliases',
  'identities',
  'passages',
  'relations',
  'documents',
  'document_texts',
] as const
/** Rows that are read before the clock starts, and rows per statement. */
const READ = 10_240
const STATEMENT = 256

/**
 * Writes the rows of an import again, into the same tables of an empty database, in one transaction without
 * other work. Returns the seconds in which rows were written, by the clock
 * and of the processor, and their number.
 */
export async function writeBare(from: string, safeId: string, importId: number, folder: string) {
  mkdirSync(folder)
  const empty = await openDatabase({ dataDir: folder, role: 'cli' })
  await empty.close()
  const driver = await sqliteDriver()
  const source = driver.open(join(from, 'svc.db'), 0)
  const target = driver.open(join(folder, 'svc.db'), 0)
  target.exec('pragma synchronous = NORMAL; pragma cache_size = -16000; begin immediate')
  const sums = { rows: 0, seconds: 0, cpuSeconds: 0 }
  const add = async (work: () => void) => {
    const { clock, processor } = await timed(work)
    sums.seconds += clock / 1000
    sums.cpuSeconds += processor / 1000
  }
  for (const table of TABLES)
    for (const some of rowsOf(source, table, safeId, importId)) {
      sums.rows += some.length
      await add(() => insert(target, table, some))
    }
  await add(() => target.exec('commit'))
  source.close()
  target.close()
  rmSync(folder, { recursive: true })
  return sums
}

function* rowsOf(source: SqliteFile, table: string, safeId: string, importId: number) {
  const statement = source.prepare(`select * from ${table} where safe_id = ? and import_id = ?`)
  let rows: unknown[][] = []
  for (const row of statement.iterate([safeId, importId])) {
    rows.push(Object.values(row as object))
    if (rows.length < READ) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

function insert(target: SqliteFile, table: string, rows: unknown[][]): void {
  const one = `(${rows[0]?.map(() => '?').join(',')})`
  const statement = (count: number) =>
    target.prepare(`insert or ignore into ${table} values ${Array(count).fill(one).join(',')}`)
  const many = statement(STATEMENT)
  let at = 0
  for (; rows.length - at >= STATEMENT; at += STATEMENT) many.run(rows.slice(at, at + STATEMENT).flat())
  const single = statement(1)
  for (; at < rows.length; at++) single.run(rows[at] ?? [])
}
