import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { build, dataDir } from '../../helper.js'
import { stored } from '../../written.js'
import { runHere } from '../cli/svc.js'
import { Assistant } from '../oauth/assistant.js'
import { file, people } from '../safes/open.js'
import { installation, overs, place, rowsOf, sourcesIn, stop } from './installation.js'

// At once: while one waits for Postgres, the other goes on.
t.test('a restore ends all sign-ins, and what it replaced can be restored', { jobs: 2 }, async t => {
  const tests = overs.map(over =>
    t.test(`over ${over}`, async t => {
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
    }),
  )
  await Promise.all(tests)
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
