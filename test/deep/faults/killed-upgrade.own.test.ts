import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build as bundle } from 'esbuild'
import t, { type Test } from 'tap'
import { rootDir } from '../../../platform/common/package.js'
import { verifyBackup } from '../../../platform/storage/backup/verify-backup.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { MIGRATIONS } from '../../../platform/storage/migrate.js'
import { dataDir } from '../../data-dir.js'
import { drivers } from '../../integration/sqlite/drivers.js'
import { addMigrations } from '../../integration/storage/later-migrations.js'
import { emptyPlace, opened, placeOf, rowsIn, STORES, schemaIn } from '../../integration/storage/releases.js'

addMigrations()
const [OLDEST = '', ...LATER] = Object.keys(MIGRATIONS)

/** The backup before the update has its rows, but not its name yet. */
const DURING_BACKUP = 'create table "backup" (manifest_json text not null)'

/** Updates in a process of its own, which kills itself before a statement. @returns the statements that it ran */
type Update = (place: DatabaseLocation, at?: string) => Promise<string[]>

/** One bundle, because compiling over a hundred files would take most of the time of each process. */
async function updating(t: Test): Promise<Update> {
  const folder = dataDir(t)
  symlinkSync(join(rootDir, 'node_modules'), join(folder, 'node_modules'))
  await bundle({
    ...{ outdir: folder, bundle: true, splitting: true, platform: 'node', format: 'esm' },
    outExtension: { '.js': '.mjs' },
    entryPoints: [fileURLToPath(new URL('update-and-die.js', import.meta.url))],
    packages: 'external',
    define: {
      'import.meta.url': JSON.stringify(new URL('../../../platform/common/package.js', import.meta.url).href),
    },
  })
  let runs = 0
  return async ({ dataDir, databaseUrl }, at) => {
    const driver = drivers[runs++ % drivers.length] ?? ''
    const args = [join(folder, 'update-and-die.mjs'), dataDir, databaseUrl ?? '', driver, ...(at ? [at] : [])]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    if (at ? signal !== 'SIGKILL' : code !== 0) throw new Error(`The update exited with ${code}, at ${at}.`)
    return printed
      .trim()
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  }
}

/** The statements of each migration, in order; the last one records that it is done. */
function byMigration(statements: string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  let from = statements.findLastIndex(sql => /manifest_json|^vacuum/.test(sql)) + 1
  for (const [n, sql] of statements.entries()) {
    const name = LATER.find(name => sql.startsWith('insert into "kysely_migration"') && sql.endsWith(name))
    if (!name) continue
    found.set(name, statements.slice(from, n + 1))
    from = n + 1
  }
  return found
}

/** Alternately: in the middle of a migration, and between its work and its record. */
const placesIn = (statements: Map<string, string[]>) =>
  [...statements.values()].map((each, n) => each[n % 2 ? each.length - 1 : Math.floor((each.length - 1) / 2)])

for (const store of STORES) {
  t.test(
    `${store}: kill -9 while a new installation makes its tables, and the next start goes on`,
    async t => {
      const update = await updating(t)
      const undisturbed = await emptyPlace(t, store)
      const made = (await update(undisturbed)).filter(statement => statement.startsWith('create '))
      const place = await emptyPlace(t, store)
      for (const at of [made[10], made.at(-1)]) await update(place, at)
      await update(place)
      const schemaOf = (place: DatabaseLocation) => opened(place, db => schemaIn(db, store))
      t.same(await schemaOf(place), await schemaOf(undisturbed))
    },
  )

  t.test(`${store}: kill -9 during an update loses nothing, and the next start goes on`, async t => {
    const update = await updating(t)
    const undisturbed = await placeOf(t, OLDEST, store)
    const before = await opened(undisturbed, rowsIn)
    const statements = byMigration(await update(undisturbed))
    t.same([...statements.keys()], LATER, 'there is a place to be killed at in every migration')
    const tables = await opened(undisturbed, db => schemaIn(db, store))

    const place = await placeOf(t, OLDEST, store)
    const places = placesIn(statements)
    // Postgres runs all migrations in one transaction, so the moment of the kill makes no difference.
    const chosen = store === 'postgres' ? [places[0], places.at(-1)] : places
    for (const at of [DURING_BACKUP, ...chosen]) await update(place, at)
    // Two at once, as processes start after a crash.
    await Promise.all([update(place), update(place)])
    t.same(await opened(place, db => rowsIn(db, before)), before, 'every row is as it was')
    t.same(await opened(place, db => schemaIn(db, store)), tables)
    const folder = join(place.dataDir, 'backups')
    const [backup = '', ...others] = readdirSync(folder)
    t.same(others, [], 'one backup, although the update began often')
    t.match(await verifyBackup(join(folder, backup)), { schema: OLDEST }, 'of what was there before')
  })
}
