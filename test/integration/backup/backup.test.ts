import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { build, dataDir } from '../../helper.js'
import { stored } from '../../written.js'
import { onTerminal, runHere, start } from '../cli/svc.js'
import { installation, overs, place, rowsOf } from './installation.js'

const OTHER = { sqlite: 'postgres', postgres: 'sqlite' } as const

for (const over of overs) {
  t.test(`over ${over}, a backup of a running service restores every row, in either database`, async t => {
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
      t.match(
        await again.safes.questions.ask(owner, sample.id, { query: 'Who leads the Lens Restoration?' }),
        {
          facts: [{ subject: 'Jonas Lindqvist' }],
        },
      )
    }
  })
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
