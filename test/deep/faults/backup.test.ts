import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import t from 'tap'
import { differing, sumsOf } from '../../../platform/storage/backup/make-backup.js'
import type { Database } from '../../../platform/storage/database.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { build } from '../../helper.js'
import { installation, overs, place, sourcesIn, stop } from '../../integration/backup/installation.js'
import { start } from '../../integration/cli/svc.js'
import { file, people } from '../../integration/safes/open.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

for (const over of overs) {
  t.test(`over ${over}, a backup under write load is a state that existed`, async t => {
    const { folder, env, app, owner, id } = await installation(t, over)
    let writing = true
    const writer = (async () => {
      for (let n = 0; writing; n++)
        await app.safes.imports.add(owner, id, file(`${n}.nt`, people(40).replaceAll('/p', `/${n}-`)))
    })()
    const backups: string[] = []
    for (let n = 0; n < 3; n++) {
      const backup = join(folder, `${n}.db`)
      const { ended } = await start(folder, ['backup', backup], '', env)
      t.match(await ended, { code: 0 })
      backups.push(backup)
    }
    writing = false
    await writer
    await app.close()

    let imports = 0
    for (const backup of backups) {
      const { folder, command } = await place(t, 'sqlite')
      t.match(await command('restore', backup, '--yes'), { code: 0 })
      const again = await build(t, { setUp: 'embedded', env: { DATA_DIR: folder } })
      const sources = await sourcesIn(again, owner, id)
      t.ok(sources.length > imports, `${sources.length} imports`)
      imports = sources.length - 1
      const whole = (await again.safes.imports.list(owner, id, { limit: 1000 })).filter(
        ({ status }) => status === 'committed',
      )
      const { rows } = await sql<{ import_id: number; rows: number }>`
        select import_id, count(*) as rows from relations
        where safe_id = ${id} and import_id in (${sql.join(whole.map(({ id }) => id))}) group by import_id order by import_id desc
      `.execute(again.database.read)
      t.strictSame(
        rows.map(row => ({ ...row })),
        whole.map(({ id, counts }) => ({ import_id: id, rows: counts.relations })),
        'each of them whole',
      )
      await again.close()
    }
  })

  t.test(`over ${over}, kill -9 during a restore leaves what was there, or the backup`, async t => {
    const { env, app, ...running } = await installation(t, over)
    const backup = join(running.folder, 'today.db')
    t.equal((await running.command('backup', backup)).code, 0)
    const { folder } = await stop(t, app, env)
    /** Runs on the database as it is, without a service. */
    const within = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
      const location = { dataDir: folder, databaseUrl: env.DATABASE_URL ?? null }
      const database = await openDatabase({ ...location, role: 'server' })
      return work(database).finally(() => database.close())
    }
    const restoring = async () => {
      // Closed connections keep the file open until their statements are collected, which takes another turn of the
      // event loop, and a restore does not wait.
      collectGarbage()
      await setImmediate()
      return start(folder, ['restore', backup, '--yes'], '', env)
    }
    const sums = () => within(({ read }) => sumsOf(read))
    t.match(await (await restoring()).ended, { code: 0 })
    const restored = await sums()
    const seen = new Set<string>()
    let hasEnded = false
    // Each time later, between its beginning and its end.
    for (let ms = 20; !hasEnded; ms *= 1.3) {
      await within(({ write }) =>
        write(trx =>
          trx
            .insertInto('service_keys')
            .values({ name: `at ${ms}`, value: 'x' })
            .execute(),
        ),
      )
      const before = await sums()
      const { child, ended } = await restoring()
      const timer = setTimeout(() => child.kill('SIGKILL'), ms)
      const { code, stderr } = await ended
      clearTimeout(timer)
      t.ok(code === null || code === 0, stderr)
      hasEnded = code === 0
      const after = await sums()
      const isOld = differing(before, after) === undefined
      t.ok(isOld || differing(restored, after) === undefined, `after ${ms.toFixed()} ms`)
      seen.add(isOld ? 'old' : 'restored')
    }
    t.ok(seen.has('old'), 'some were killed early enough')
    const last = await (await restoring()).ended
    t.equal(last.code, 0, last.stderr)
    t.same(await sums(), restored)
    t.same(
      readdirSync(folder).filter(name => /restoring|part/.test(name)),
      [],
      'nothing is left over',
    )
    t.same(
      readdirSync(join(folder, 'backups')).filter(name => !/\.db$/.test(name)),
      [],
    )
  })
}
