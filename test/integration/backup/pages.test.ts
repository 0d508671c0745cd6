import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { accountTexts } from '../../../views/texts/account.js'
import { backupsTexts } from '../../../views/texts/backups.js'
import { redisUrl } from '../../helper.js'
import { once } from '../../once.js'
import { writesNothing } from '../../written.js'
import { Assistant } from '../oauth/assistant.js'
import { Browser, PASSWORD } from '../pages/browser.js'
import { signedIn } from '../pages/open.js'
import { file, people } from '../safes/open.js'
import { make, open, PAGE, send, startAgain } from './in-pages.js'
import { sourcesIn } from './installation.js'

const m = backupsTexts

/** For changes that affect neither the backups nor the sign-ins of other tests. */
const shared = once(() => open(t))

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
  const [, before = ''] = /The previous data is in (before-restore-[^ ]+\.db)\./.exec(after.body) ?? []
  t.ok(existsSync(join(again.config.dataDir, 'backups', before)), before)
  t.same(readdirSync(join(again.config.dataDir, 'restore')), ['outcome.json'])

  t.equal((await now.browser.get(`${PAGE}/${before}`)).statusCode, 200)
})

t.test('without the password, nothing is downloaded or restored; for others there are no pages', async t => {
  const { app, ada, restarts } = await shared()
  const name = await make(ada.browser)
  for (const action of ['download', 'restore']) {
    const refused = await send(ada.browser, name, action, 'wrong')
    t.match(refused, { statusCode: 400, headers: { 'content-type': /html/ } })
    t.ok(refused.body.includes(accountTexts.wrong))
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
  const { app, ada, restarts } = await shared()
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
