import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { dataDir } from '../../data-dir.js'
import { onTerminal, runHere, start } from '../cli/svc.js'
import { installation } from './installation.js'

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
