import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { backupsIn } from '../../../platform/storage/backup/kept-backups.js'
import { preparedIn, takeRequest } from '../../../platform/storage/backup/restore-request.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { backupsTexts } from '../../../views/texts/backups.js'
import { dataDir, postgresUrl } from '../../helper.js'
import { TEMPLATE } from '../../postgres-server.js'
import { PASSWORD } from '../pages/browser.js'
import { signedIn } from '../pages/open.js'
import { make, open, PAGE, send, startAgain } from './in-pages.js'
import { sourcesIn } from './installation.js'

const m = backupsTexts

t.test('what cannot be restored at the start is said, and the service goes on with what it had', async t => {
  const url = await postgresUrl(t, TEMPLATE)
  const { app, ada, id, settings } = await open(t, { DATABASE_URL: url })
  const name = await make(ada.browser)
  t.ok((await ada.browser.get(`${PAGE}/${name}`)).body.includes(m.restoreAlone))
  t.match(await send(ada.browser, name, 'restore', PASSWORD), { statusCode: 200 })
  const other = await openDatabase({ dataDir: dataDir(t), databaseUrl: url, role: 'cli' })
  await other.ping()
  const again = await startAgain(t, app, settings)
  await other.close()
  t.same(await sourcesIn(again, ada.id, id), ['people.nt'])
  const { body } = await (await signedIn(again, 'ada@a.example')).browser.get(PAGE)
  t.match(body, /was not restored\. Nothing was changed\..*The database has 1 other connection/s)
  t.same(readdirSync(join(again.config.dataDir, 'restore')), ['outcome.json'])
})

t.test('a restore that took the process down is not tried again, and the page says so', async t => {
  const { app, ada, id, settings } = await open(t)
  const name = await make(ada.browser)
  t.match(await send(ada.browser, name, 'restore', PASSWORD), { statusCode: 200 })
  t.equal(takeRequest(app.config.dataDir)?.request.name, name, 'as a start does before it restores')
  writeFileSync(preparedIn(app.config.dataDir), 'a part of the backup')
  const backups = backupsIn(app.config.dataDir)
  const notes = ['before-restore-notes.db.part', 'before-restore-2026-11-26T08-00-00.123Z.db.part.txt']
  for (const end of ['', '-journal'])
    writeFileSync(
      join(backups, `before-restore-2026-11-26T08-00-00.123Z.db.part${end}`),
      'a part of the database',
    )
  for (const name of notes) writeFileSync(join(backups, name), 'of somebody else')
  const again = await startAgain(t, app, settings)
  t.same(await sourcesIn(again, ada.id, id), ['people.nt'])
  const { body } = await Object.assign(ada.browser, { app: again }).get(PAGE)
  t.ok(body.includes(m.lastInterrupted(name)))
  t.same(readdirSync(join(again.config.dataDir, 'restore')), ['outcome.json'])
  t.notOk(existsSync(preparedIn(again.config.dataDir)), 'what it had prepared is gone, too')
  const parts = readdirSync(backupsIn(again.config.dataDir))
    .filter(file => file.includes('.part'))
    .sort()
  t.same(parts, notes.sort(), 'and the copy that it had begun, but nothing else')
})
