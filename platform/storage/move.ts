import { sql } from 'kysely'
import type { Database } from './database.js'
import type { Db } from './schema.js'
import { drawIdAnew, forEachPage, insertRows, MOVED, TABLES, type TableSum } from './tables.js'
import { tables } from './where.js'

/** A move that cannot start or continue. The message is for the user. */
class MoveRefused extends Error {}

/**
 * Copies all tables into an empty database and verifies them. An interrupted move continues when called
 * again; a completed one is only verified. Blocks writes to the source.
 * @throws MoveRefused when the target belongs to another installation, or differs after copying
 */
export function moveInstallation(
  from: Database,
  to: Database,
  onTable: (moved: TableSum) => void,
): Promise<void> {
  // One transaction: other writers wait or fail, and all tables are read in the same state.
  return from.write(async source => {
    const done = await isDone(source, to.read)
    for (const table of TABLES) {
      const read = await forEachPage(source, table, async rows => {
        if (!done) await to.write(trx => insertRows(trx, table, rows))
      })
      const written = await forEachPage(to.read, table, async () => {})
      if (written.sha256 !== read.sha256) throw differs(read, written, done)
      onTable(read)
    }
    if (done) return
    await to.write(async trx => {
      await drawIdAnew(trx)
      await tables.insert(trx, 'service_keys', { name: MOVED, value: 'yes' })
    })
  })
}

/** Whether the move was completed before. @throws MoveRefused */
async function isDone(source: Db, target: Db): Promise<boolean> {
  const key = await serviceKey(source, 'main')
  if (key === null) throw new MoveRefused('There is nothing to move: no service has used this folder yet.')
  if ((await serviceKey(target, 'main')) === key) return (await serviceKey(target, MOVED)) !== null
  for (const table of TABLES) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(target)
    if (rows.length > 0) {
      throw new MoveRefused(
        `The database belongs to another installation: its table ${table} is not empty. Nothing was changed. Use an empty database.`,
      )
    }
  }
  return false
}

const serviceKey = async (db: Db, name: string) =>
  (await tables.find(db, 'service_keys', { name }, ['value']))?.value ?? null

function differs(read: TableSum, written: TableSum, done: boolean): MoveRefused {
  const counts = `${read.rows} rows in the source, ${written.rows} in the target`
  return new MoveRefused(
    done
      ? `The move was completed before, but table ${read.table} has changed since (${counts}). Nothing was changed.`
      : `Table ${read.table} differs between source and target (${counts}). Empty the target and move again.`,
  )
}
