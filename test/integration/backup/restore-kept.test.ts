import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { removeOldCopies } from '../../../platform/storage/backup/restore-request.js'
import { build, dataDir } from '../../helper.js'
import { installation, stop } from './installation.js'

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
  t.match(restored, { code: 0, stderr: /The previous data is in/ })
  const [kept = ''] = readdirSync(join(folder, 'backups'))
  t.same(readFileSync(join(folder, 'backups', kept)), broken)
  t.ok(await build(t, { setUp: 'embedded', env: { DATA_DIR: folder } }))
})
