import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import t from 'tap'
import { openBackupFile } from '../../../storage/backup/backup-file.js'
import { removeOldCopies } from '../../../storage/backup/restore-leftovers.js'
import { openDatabase } from '../../../storage/open-database.js'
import { build, dataDir } from '../../helper.js'
import { stored } from '../../written.js'
import { runHere } from '../cli/svc.js'
import { Assistant } from '../oauth/assistant.js'
import { file, people } from '../safes/open.js'
import { installation, overs, place, rowsOf, sourcesIn, stop } from './installation.js'

for (const over of overs) {
  t.test(`over ${over}, a restore ends all sign-ins, and what it replaced can be restored`, async t => {
    const { env, app, assistant, id, tokens, owner, ...running } = await installation(t, over)
    const backup = join(running.folder, 'today.db')
    t.equal((await running.command('backup', backup)).code, 0)
    await app.safes.imports.add(owner, id, file('later.nt', people(3).replaceAll('/p', '/later')))
    const later = await stored(app)
    const stopped = await stop(t, app, env)

    const restored = await stopped.command('restore', backup, '--yes')
    t.equal(restored.code, 0, restored.stderr)
    const open = (folder: string) => build(t, { setUp: 'embedded', env: { DATA_DIR: folder, ...env } })
    const old = await open(stopped.folder)
    t.same(await sourcesIn(old, owner, id), ['people.nt'])
    const then = new Assistant(old)
    then.clientId = assistant.clientId
    t.notOk(await then.works(tokens.access_token))
    t.match(await then.refresh(tokens.refresh_token), { statusCode: 400 })
    const again = await stop(t, old, env)

    const [, before = ''] = /before is in (.*)\.$/m.exec(restored.stderr) ?? []
    const back = await again.command('restore', before, '--yes', '--keep-sign-ins')
    t.equal(back.code, 0, back.stderr)
    t.same(rowsOf(await stored(await open(again.folder))), rowsOf(later))
  })
}

t.test('a truncated, edited, foreign or missing file is refused, and nothing is changed', async t => {
  const { folder, command, app } = await installation(t, 'sqlite')
  const rows = await stored(app)
  const backup = join(folder, 'today.db')
  t.equal((await command('backup', backup)).code, 0)
  const stopped = await stop(t, app, {})
  const { size } = statSync(backup)
  const copy = (name: string) => {
    const to = join(folder, name)
    copyFileSync(backup, to)
    return to
  }
  const refused = async (file: string, reason: RegExp) =>
    t.match(await stopped.command('restore', file, '--yes'), { code: 1, stderr: reason }, file)

  for (const bytes of [1, 1000, 4096, Math.floor(size / 2), size - 4096, size - 1]) {
    const cut = copy(`cut-${bytes}.db`)
    truncateSync(cut, bytes)
    await refused(cut, /not a backup|damaged or incomplete/)
  }
  const empty = join(folder, 'empty.db')
  writeFileSync(empty, '')
  await refused(empty, /not a backup/)
  const text = join(folder, 'text.db')
  writeFileSync(text, 'once upon a time '.repeat(1000))
  await refused(text, /not a backup/)
  await refused(join(folder, 'missing.db'), /There is no file/)
  await refused(folder, /is not a backup/)

  const edited = copy('edited.db')
  writeFileSync(edited, readFileSync(edited, 'latin1').replaceAll('Person 7', 'Person 8'), 'latin1')
  await refused(edited, /was changed after it was made: its table entities|damaged/)
  const updates = [
    sql`update accounts set role = 'admin', email = 'eve@a.example'`,
    sql`delete from memberships`,
    sql`drop table activity`,
    sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`,
  ]
  for (const [n, update] of updates.entries()) {
    const changed = copy(`changed-${n}.db`)
    const db = await openBackupFile(changed)
    await update.execute(db)
    await db.destroy()
    await refused(changed, /was changed after it was made/)
  }
  await refused(join(stopped.folder, 'svc.db'), /a database, but not a backup/)
  const newer = copy('newer.db')
  const db = await openBackupFile(newer)
  await sql`insert into kysely_migration values ('9999-later', '2099-01-01')`.execute(db)
  await db.destroy()
  await refused(newer, /newer version/)

  const again = await build(t, { setUp: 'embedded', env: { DATA_DIR: stopped.folder } })
  t.same(rowsOf(await stored(again)), rowsOf(rows))
  t.notOk(existsSync(join(stopped.folder, 'backups')))
})

t.test('a restore is refused while a server or another command uses the database', async t => {
  for (const over of overs) {
    const { env, app, ...running } = await installation(t, over)
    const backup = join(running.folder, 'today.db')
    t.equal((await running.command('backup', backup)).code, 0)
    t.match(await running.command('restore', backup, '--yes'), {
      code: 1,
      stderr: /A server is running|other connection/,
    })
    const { folder, command } = await stop(t, app, env)
    const other = await openDatabase({ dataDir: folder, databaseUrl: env.DATABASE_URL ?? null, role: 'cli' })
    await sql`select 1`.execute(other.read)
    t.match(await command('restore', backup, '--yes'), {
      code: 1,
      stderr: /Another svc command uses|other connection/,
    })
    await other.close()
  }
})

t.test('three copies of what restores have replaced are kept, and the one that is restored', async t => {
  const folder = dataDir(t)
  const nameOf = (kind: string, day: number) => `${kind}-2026-01-0${day}T00-00-00.000Z.db`
  for (const day of [1, 2, 3, 4, 5, 6]) writeFileSync(join(folder, nameOf('before-restore', day)), '')
  writeFileSync(join(folder, nameOf('svc', 1)), '')
  removeOldCopies(folder, join(folder, nameOf('before-restore', 1)))
  t.same(readdirSync(folder).sort(), [
    ...[1, 4, 5, 6].map(day => nameOf('before-restore', day)),
    nameOf('svc', 1),
  ])
})

t.test('a broken database is replaced, and kept as it is', async t => {
  const { app, ...running } = await installation(t, 'sqlite')
  const backup = join(running.folder, 'today.db')
  t.equal((await running.command('backup', backup)).code, 0)
  const { folder, command } = await stop(t, app, {})
  const broken = Buffer.from('broken '.repeat(10_000))
  rmSync(join(folder, 'svc.db-wal'), { force: true })
  writeFileSync(join(folder, 'svc.db'), broken)
  const restored = await command('restore', backup, '--yes')
  t.match(restored, { code: 0, stderr: /What was there before is in/ })
  const [kept = ''] = readdirSync(join(folder, 'backups'))
  t.same(readFileSync(join(folder, 'backups', kept)), broken)
  t.ok(await build(t, { setUp: 'embedded', env: { DATA_DIR: folder } }))
})

t.test('a backup of an earlier release is restored and updated', async t => {
  const release = fileURLToPath(new URL('../../fixtures/releases/0001-initial/sqlite.db.gz', import.meta.url))
  const from = dataDir(t)
  writeFileSync(join(from, 'svc.db'), gunzipSync(readFileSync(release)))
  const backup = join(from, 'old.db')
  t.match(await runHere(from, ['backup', backup]), { code: 0 })
  for (const over of overs) {
    const { folder, env, command } = await place(t, over)
    t.match(await command('restore', backup, '--yes'), { code: 0 })
    const app = await build(t, { setUp: 'embedded', env: { DATA_DIR: folder, ...env } })
    t.same(
      (await app.accounts.list()).map(({ email }) => email),
      ['ada@example.org', 'bob@example.org'],
    )
  }
})
