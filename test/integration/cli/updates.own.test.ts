import t from 'tap'
import { buildDomains } from '../../../domains.js'
import { loadConfig } from '../../../plugins/config.js'
import { addMigrations } from '../storage/later-migrations.js'
import { placeOf, RELEASE, updateFurther } from '../storage/releases.js'
import { runHere, svc } from './svc.js'

t.test('the command exits with the sentence only', async t => {
  const place = await placeOf(t, RELEASE, 'sqlite')
  await updateFurther(place)
  const ended = await svc(place.dataDir, ['safe', 'list'])
  t.match(ended, { code: 1, stdout: '', stderr: /^A newer version [^\n]+\n$/ })
})

t.test('an update says so, and takes as long as it takes: no plugin has a deadline', async t => {
  const place = await placeOf(t, RELEASE, 'sqlite')
  addMigrations()
  const written = t.capture(process.stderr, 'write')
  const list = () => runHere(place.dataDir, ['safe', 'list'])
  t.match(await list(), { code: 0, stderr: '' })
  t.match(await list(), { code: 0, stderr: '' })
  t.match(
    written().map(({ args }) => args),
    [[/^Updating the database, after a backup of it\. [^\n]+\n$/]],
    'once',
  )
  const app = await buildDomains({ config: loadConfig({ DATA_DIR: place.dataDir }) }, 'cli')
  t.teardown(() => app.close())
  t.equal(app.initialConfig.pluginTimeout, 0)
})
