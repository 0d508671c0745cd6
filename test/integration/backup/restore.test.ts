import { join } from 'node:path'
import t from 'tap'
import { build } from '../../helper.js'
import { stored } from '../../written.js'
import { Assistant } from '../oauth/assistant.js'
import { file, people } from '../safes/open.js'
import { installation, overs, rowsOf, sourcesIn, stop } from './installation.js'

// In parallel: while one waits for Postgres, the other works.
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

      const [, before = ''] = /previous data is in (.*)\.$/m.exec(restored.stderr) ?? []
      const back = await again.command('restore', before, '--yes', '--keep-sign-ins')
      t.equal(back.code, 0, back.stderr)
      t.same(rowsOf(await stored(await open(again.folder))), rowsOf(later))
    }),
  )
  await Promise.all(tests)
})
