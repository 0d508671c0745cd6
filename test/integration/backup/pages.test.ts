import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { messages } from '../../../messages.js'
import { preparedIn } from '../../../storage/backup/restore-leftovers.js'
import { takeRequest } from '../../../storage/backup/restore-request.js'
import { backupsIn } from '../../../storage/backup/update-ended.js'
import { openDatabase } from '../../../storage/open-database.js'
import { freePort } from '../../free-port.js'
import { build, dataDir, postgresUrl, redisUrl } from '../../helper.js'
import { TEMPLATE } from '../../postgres-server.js'
import { writesNothing } from '../../written.js'
import { Assistant } from '../oauth/assistant.js'
import { Browser, PASSWORD } from '../pages/browser.js'
import { signedIn } from '../pages/open.js'
import { file, people } from '../safes/open.js'
import { sourcesIn } from './installation.js'

const m = messages.backups
const PAGE = '/system/backups'
const nameIn = (body: string) => /href="\/system\/backups\/([^"]+\.db)"/.exec(body)?.[1] ?? ''

/** The service with an administrator and a Safe, and how often it was told to start again. */
async function open(t: Test, env: Record<string, string> = {}) {
  const restarts: number[] = []
  const settings = { PORT: String(await freePort()), ...env }
  const app = await build(t, { setUp: 'embedded', env: settings, startAgain: () => restarts.push(1) })
  const assistant = await Assistant.registered(app)
  await assistant.browser.signIn('ada@a.example')
  const ada = await signedIn(app, 'ada@a.example')
  const { id } = await app.safes.create(ada.id, 'Notes')
  await app.safes.imports.add(ada.id, id, file('people.nt', people(7)))
  return { app, assistant, ada, id, settings, restarts }
}

/** Starts again, in a copy of the folder: threads of this process keep files of SQLite open. */
async function startAgain(t: Test, app: FastifyInstance, settings: Record<string, string>) {
  await app.close()
  const folder = dataDir(t)
  cpSync(app.config.dataDir, folder, { recursive: true, filter: name => !/\.lock|-shm$/.test(name) })
  return build(t, { setUp: 'embedded', env: { ...settings, DATA_DIR: folder } })
}

const make = async (browser: Browser) => {
  await browser.submit(PAGE, `${PAGE}/make`)
  // On a slow machine the page is shown first.
  while (browser.app.backups.isMaking) await pause(20)
  return nameIn((await browser.get(PAGE)).body)
}
const send = (browser: Browser, name: string, action: string, password: string) =>
  browser.submit(`${PAGE}/${name}`, `${PAGE}/${name}/${action}`, { password })

t.test('a backup is made, downloaded and restored, which ends sign-ins, in Redis, too', async t => {
  const { app, assistant, ada, id, settings, restarts } = await open(t, { REDIS_URL: await redisUrl() })
  const tokens = await assistant.connect()
  const name = await make(ada.browser)
  const { body } = await ada.browser.get(`${PAGE}/${name}`)
  t.match(
    body,
    /<dt>Accounts<\/dt>\s*<dd><bdi>1<.*<dt>Safes<\/dt>\s*<dd><bdi>1<.*<dt>Relations<\/dt>\s*<dd><bdi>7</s,
  )
  t.notOk(body.includes(m.restoreAlone))

  const downloaded = await send(ada.browser, name, 'download', PASSWORD)
  t.match(downloaded.headers, {
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  })
  t.equal(downloaded.rawPayload.subarray(0, 15).toString(), 'SQLite format 3')
  t.equal(Number(downloaded.headers['content-length']), downloaded.rawPayload.length)

  await app.safes.imports.add(ada.id, id, file('later.nt', people(3).replaceAll('/p', '/later')))
  const restoring = await send(ada.browser, name, 'restore', PASSWORD)
  t.match(restoring, { statusCode: 200, headers: { refresh: /url=\/system\/backups$/ } })
  t.equal(restarts.length, 1)
  const again = await startAgain(t, app, settings)
  t.same(await sourcesIn(again, ada.id, id), ['people.nt'])
  t.notOk(
    await Object.assign(new Assistant(again), { clientId: assistant.clientId }).works(tokens.access_token),
  )
  t.match(
    await Object.assign(ada.browser, { app: again }).get(PAGE),
    { statusCode: 303 },
    'sign-ins have ended',
  )
  const now = await signedIn(again, 'ada@a.example')
  const after = await now.browser.get(PAGE)
  t.match(after.body, new RegExp(`The backup ${name} of .* has been restored`))
  const [, before = ''] = /What was there before is in (before-restore-[^ ]+\.db)\./.exec(after.body) ?? []
  t.ok(existsSync(join(again.config.dataDir, 'backups', before)), before)
  t.same(readdirSync(join(again.config.dataDir, 'restore')), ['outcome.json'])

  t.equal((await now.browser.get(`${PAGE}/${before}`)).statusCode, 200)
})

t.test('without the password, nothing is downloaded or restored; for others there are no pages', async t => {
  const { app, ada, restarts } = await open(t)
  const name = await make(ada.browser)
  for (const action of ['download', 'restore']) {
    const refused = await send(ada.browser, name, action, 'wrong')
    t.match(refused, { statusCode: 400, headers: { 'content-type': /html/ } })
    t.ok(refused.body.includes(messages.account.wrong))
  }
  const bob = new Browser(app)
  await bob.signIn('bob@a.example')
  const paths = [PAGE, `${PAGE}/${name}`]
  for (const path of paths) t.equal((await bob.get(path)).statusCode, 404, path)
  for (const path of [
    `${PAGE}/make`,
    ...['download', 'restore'].map(action => `${PAGE}/${name}/${action}`),
  ]) {
    const post = () => bob.post(path, { _csrf: bob.tokenFor(path), password: PASSWORD })
    t.equal((await writesNothing(t, app, path, post)).statusCode, 404, path)
    t.equal((await ada.browser.post(path, { password: PASSWORD })).statusCode, 403, `C1 ${path}`)
  }
  for (const other of ['svc-2020-01-01T00-00-00Z.db', '..%2Fsvc.db', 'svc.db'])
    t.equal((await ada.browser.get(`${PAGE}/${other}`)).statusCode, 404, other)
  t.same(restarts, [])
  t.notOk(existsSync(join(app.config.dataDir, 'restore')))
})

t.test('with BACKUP_DOWNLOAD=off nobody downloads a backup', async t => {
  const { ada } = await open(t, { BACKUP_DOWNLOAD: 'off' })
  const name = await make(ada.browser)
  t.notOk((await ada.browser.get(`${PAGE}/${name}`)).body.includes(m.downloadText))
  const path = `${PAGE}/${name}/download`
  const posted = await ada.browser.post(path, { _csrf: ada.browser.tokenFor(path), password: PASSWORD })
  t.equal(posted.statusCode, 404)
})

t.test('a damaged backup is refused while the service goes on', async t => {
  const { app, ada, restarts } = await open(t)
  const name = await make(ada.browser)
  const path = join(app.config.dataDir, 'backups', name)
  writeFileSync(path, readFileSync(path, 'latin1').replaceAll('Person 3', 'Person 8'), 'latin1')
  const refused = await send(ada.browser, name, 'restore', PASSWORD)
  t.match(refused, { statusCode: 409 })
  t.match(refused.body, /was changed after it was made: its table entities/)
  writeFileSync(path, 'no database')
  t.ok((await ada.browser.get(`${PAGE}/${name}`)).body.includes(m.unreadable))
  t.same(restarts, [])
})

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
