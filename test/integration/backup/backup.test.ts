import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { build } from '../../helper.js'
import { stored } from '../../written.js'
import { installation, overs, place, rowsOf } from './installation.js'

const OTHER = { sqlite: 'postgres', postgres: 'sqlite' } as const

// In parallel: while one waits for Postgres, the other works.
t.test('a backup of a running service restores every row, in either database', { jobs: 2 }, async t => {
  const tests = overs.map(over =>
    t.test(`over ${over}`, async t => {
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
    }),
  )
  await Promise.all(tests)
})
