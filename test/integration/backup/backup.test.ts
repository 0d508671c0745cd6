import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import t from 'tap'
import { verifyBackup } from '../../../storage/backup/verify-backup.js'
import { build, dataDir } from '../../helper.js'
import { stored } from '../../written.js'
import { onTerminal, runHere, start } from '../cli/svc.js'
import { installation, overs, place, rowsOf } from './installation.js'

const OTHER = { sqlite: 'postgres', postgres: 'sqlite' } as const

for (const over of overs) {
  t.test(
    `over ${over}, a backup of a running service restores every row, here and in the other database`,
    async t => {
      const { folder, command, app, sample, owner } = await installation(t, over)
      const rows = await stored(app)
      const backup = join(folder, 'today.db')
      const made = await command('backup', backup)
      t.equal(made.code, 0, made.stderr)
      t.match(made.stdout, /^entities\t\d{3,}\t[0-9a-f]{64}$/m)
      t.equal(statSync(backup).mode & 0o777, 0o600)
      t.same(
        readdirSync(folder).filter(name => name.startsWith('today')),
        ['today.db'],
        'one file',
      )
      t.match(await command('backup', backup), { code: 1, stderr: /exists already/ })
      await app.close()

      for (const target of [over, OTHER[over]]) {
        const { folder, env, command } = await place(t, target)
        const restored = await command('restore', backup, '--yes', '--keep-sign-ins')
        t.equal(restored.code, 0, restored.stderr)
        t.equal(restored.stdout, made.stdout, 'the same counts and sums')
        const again = await build(t, { setUp: 'embedded', env: { DATA_DIR: folder, ...env } })
        t.same(rowsOf(await stored(again)), rowsOf(rows))
        t.match(await again.safes.ask(owner, sample.id, { query: 'Who leads the Lens Restoration?' }), {
          facts: [{ subject: 'Jonas Lindqvist' }],
        })
      }
    },
  )
}

for (const over of overs) {
  t.test(`over ${over}, an update keeps a backup of what was there`, async t => {
    const { folder, env, command } = await place(t, over)
    const old = dataDir(t)
    const release = new URL('../../fixtures/releases/0001-initial/', import.meta.url)
    const unzip = (name: string) => gunzipSync(readFileSync(fileURLToPath(new URL(name, release))))
    writeFileSync(join(old, 'svc.db'), unzip('sqlite.db.gz'))
    if (over === 'sqlite') copyFileSync(join(old, 'svc.db'), join(folder, 'svc.db'))
    else await run(env.DATABASE_URL ?? '', unzip('postgres.sql.gz').toString())
    t.match(await command('migrate'), { code: 0 })
    const [name = '', ...others] = readdirSync(join(folder, 'backups'))
    t.match(name, /^before-update-\d{4}-.*Z\.db$/)
    t.same(others, [])
    const made = await verifyBackup(join(folder, 'backups', name))
    t.equal(made.schema, '0001-initial')
    t.ok((made.tables.find(({ table }) => table === 'relations')?.rows ?? 0) > 0)
    t.match(await command('migrate'), { code: 0 })
    t.equal(readdirSync(join(folder, 'backups')).length, 1, 'nothing to update, nothing to back up')
  })
}

async function run(url: string, statements: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statements)
  await client.end()
}

t.test('a backup goes to the standard output, and a person is asked before a restore', async t => {
  const { folder, app } = await installation(t, 'sqlite')
  await app.close()
  const to = dataDir(t)
  const { child, ended } = await start(folder, ['backup', '-'])
  const chunks: Buffer[] = []
  child.stdout.on('data', chunk => chunks.push(chunk))
  t.match(await ended, { code: 0 })
  const backup = join(to, 'piped.db')
  writeFileSync(backup, Buffer.concat(chunks))
  t.same(
    readdirSync(folder).filter(name => name.startsWith('backup')),
    [],
  )
  t.match(await onTerminal(to, ['restore', backup], 'n\n'), { code: 1, stderr: /Nothing was changed/ })
  t.notOk(existsSync(join(to, 'svc.db')))
  t.match(await onTerminal(to, ['restore', backup], 'y\n'), { code: 0 })
  t.match(await runHere(dataDir(t), ['backup', join(to, 'none.db')]), {
    code: 1,
    stderr: /no installation/,
  })
})
