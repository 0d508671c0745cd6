import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'pg'
import t from 'tap'
import { ScheduledBackups } from '../../../platform/storage/backup/scheduled-backups.js'
import { verifyBackup } from '../../../platform/storage/backup/verify-backup.js'
import { failureOf } from '../../../plugins/errors.js'
import { build, databaseLocation, dataDir, testClock } from '../../helper.js'
import { until } from '../../until.js'

const HOUR = 3_600_000
const backupsIn = (folder: string) =>
  readdirSync(folder)
    .filter(name => name.endsWith('.db'))
    .sort()

t.test('a backup is made when the newest is old enough, and the oldest are deleted', async t => {
  const from = dataDir(t)
  await (await build(t, { setUp: 'embedded', env: { DATA_DIR: from } })).close()
  const folder = join(dataDir(t), 'backups')
  const clock = testClock(Date.UTC(2026, 0, 1))
  const schedule = { folder, everyMs: 24 * HOUR, keep: 2 }
  const backups = new ScheduledBackups({ dataDir: from }, schedule, clock)
  t.equal(await backups.makeIfDue(), join(folder, 'svc-2026-01-01T00-00-00Z.db'))
  clock.now += 23 * HOUR
  t.equal(await backups.makeIfDue(), null)
  for (const name of ['mine.db', 'mine.db.part'])
    writeFileSync(join(folder, name), 'somebody else put it here')
  for (const name of [
    'svc-2026-01-01T12-00-00Z.db.part',
    'svc-2026-01-01T12-00-00Z.db.part-journal',
    'before-update.db.part',
  ])
    writeFileSync(join(folder, name), 'left by a process that was killed')
  for (const day of [2, 3, 4]) {
    clock.now = Date.UTC(2026, 0, day)
    const file = await backups.makeIfDue()
    t.equal(file, join(folder, `svc-2026-01-0${day}T00-00-00Z.db`))
    t.match(await verifyBackup(file ?? ''), { createdAt: clock.now })
  }
  t.same(
    readdirSync(folder)
      .filter(name => name !== 'backup.lock')
      .sort(),
    ['mine.db', 'mine.db.part', 'svc-2026-01-03T00-00-00Z.db', 'svc-2026-01-04T00-00-00Z.db'],
  )
})

t.test('of several processes with one folder, one makes the backup', async t => {
  const location = await databaseLocation(t, 'postgres')
  await (await build(t, { env: { DATABASE_URL: location.databaseUrl ?? '' } })).close()
  const folder = join(dataDir(t), 'backups')
  const schedule = { folder, everyMs: HOUR, keep: 3 }
  const made = await Promise.all(
    [1, 2, 3].map(() => new ScheduledBackups(location, schedule, testClock()).makeIfDue()),
  )
  t.equal(made.filter(file => file !== null).length, 1)
  t.equal(backupsIn(folder).length, 1)
})

t.test('a failed backup is an error, leaves nothing, and is made later', async t => {
  const from = dataDir(t)
  const folder = join(dataDir(t), 'backups')
  const backups = new ScheduledBackups({ dataDir: from }, { folder, everyMs: HOUR, keep: 3 }, testClock())
  await t.rejects(backups.makeIfDue(), /nothing to back up/)
  t.same(backupsIn(folder), [])
  await (await build(t, { setUp: 'embedded', env: { DATA_DIR: from } })).close()
  t.ok(await backups.makeIfDue())
})

t.test(
  'a backup that Postgres ends halfway is 503 with Retry-After, and leaves nothing (issue 53)',
  async t => {
    const location = await databaseLocation(t, 'postgres')
    await (await build(t, { env: { DATABASE_URL: location.databaseUrl ?? '' } })).close()
    const folder = join(dataDir(t), 'backups')
    const backups = new ScheduledBackups(location, { folder, everyMs: HOUR, keep: 3 }, testClock())
    const pool = new Pool({ connectionString: location.databaseUrl ?? '' })
    t.teardown(() => pool.end())
    const holder = await pool.connect()
    await holder.query('begin; lock table passages in access exclusive mode')
    const failing = backups.make().catch(error => error)
    const end =
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await until(async () => (await pool.query(end)).rowCount === 1)
    t.match(failureOf(await failing), { status: 503, code: 'temporarily_unavailable', retryAfter: 2 })
    await holder.query('rollback')
    holder.release()
    t.same(backupsIn(folder), [])
    t.ok(await backups.make())
  },
)

t.test('a server with BACKUP_DIR makes one at its start', async t => {
  const folder = dataDir(t)
  const app = await build(t, { setUp: 'embedded', env: { BACKUP_DIR: folder } })
  await app.listen({ port: 0 })
  while (backupsIn(folder).length === 0) await pause(20)
  t.equal(backupsIn(folder).length, 1)
  await t.rejects(build(t, { env: { BACKUP_DIR: folder, BACKUP_EVERY: 'often' } }), /BACKUP_EVERY should be/)
})
