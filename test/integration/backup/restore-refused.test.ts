import { copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { openBackupFile } from '../../../platform/storage/backup/backup-file.js'
import { build } from '../../helper.js'
import { stored } from '../../written.js'
import { installation, rowsOf, stop } from './installation.js'

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
