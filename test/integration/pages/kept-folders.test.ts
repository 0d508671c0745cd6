import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { contentsOf } from '../../../domain/safes/sync/folder-contents.js'
import { build, dataDir } from '../../helper.js'
import { refused } from '../../written.js'
import { Browser } from './browser.js'

/** Ann, who administers the service, owns a Safe that Bea may fill. A folder of notes is allowed. */
async function open(t: Test) {
  const allowed = join(dataDir(t), 'volumes')
  const notes = join(allowed, 'notes')
  mkdirSync(join(notes, 'deep'), { recursive: true })
  writeFileSync(join(notes, 'boiler.md'), '# Boiler\n\nServiced by Weiß.\n')
  writeFileSync(join(notes, 'deep', 'tax.md'), '# Tax\n\nDue in May.\n')
  const app = await build(t, { env: { SYNC_FOLDERS: ` ${allowed}, ${join(allowed, 'missing')}` } })
  const ann = new Browser(app)
  await ann.signIn('ann@example.org')
  const owner = await app.accounts.findByEmail('ann@example.org')
  if (!owner) throw new Error('there is no account')
  await app.accounts.setRole(owner.id, 'admin')
  const safe = await app.safes.create(owner.id, 'Household')
  const bea = new Browser(app)
  await bea.signIn('bea@example.org')
  const second = await app.accounts.findByEmail('bea@example.org')
  await app.safes.members.share(owner.id, safe.id, second?.id ?? '', 'owner')
  const path = `/safes/${safe.id}`
  /** Waits for the run that the form starts. */
  const posted = async (browser: Browser, form: string, fields = {}) => {
    const response = await browser.submit(`${path}/files`, `${path}/folders${form}`, fields)
    await app.keptFolders.runAll()
    return response
  }
  const choose = (browser: Browser, folder: string) =>
    posted(browser, '', { folder, _csrf: browser.tokenFor(`${path}/folders`) })
  return { app, ann, bea, owner, safe, path, allowed, notes, choose, posted }
}

t.test('a folder of SYNC_FOLDERS is chosen on a page, read, and kept in step (ADR 52)', async t => {
  const { app, ann, bea, path, notes, choose, posted, owner, safe } = await open(t)
  t.match((await ann.get(`${path}/files`)).body, `<option>${notes}</option>`)
  const chosen = await choose(ann, notes)
  t.equal(chosen.headers.location, `${path}/files#folders`)
  const sizeOf = async () => (await app.safes.folders.list(owner.id, safe.id))[0]?.counts.files
  t.equal(await sizeOf(), 2)
  writeFileSync(join(notes, 'new.md'), '# New\n\nA third note.\n')
  await app.keptFolders.runAll()
  t.equal(await sizeOf(), 3)
  rmSync(join(notes, 'new.md'))
  const now = await posted(bea, '/sync')
  t.equal(now.statusCode, 303, 'another owner may start a run')
  t.equal(await sizeOf(), 2)
  const page = (await bea.get(`${path}/files`)).body
  t.match(page, 'up to date')
  t.notMatch(page, '<option>', 'but not choose')
  const left = await posted(bea, '/stop')
  t.equal(left.statusCode, 303)
  writeFileSync(join(notes, 'later.md'), 'A note.')
  await app.keptFolders.runAll()
  t.equal(await sizeOf(), 2, 'what it has brought stays')
})

t.test('only administrators who own the Safe choose, and only what SYNC_FOLDERS includes', async t => {
  const { app, ann, bea, allowed, notes, choose, path } = await open(t)
  const outside = dataDir(t)
  symlinkSync(outside, join(allowed, 'link'))
  const cases = [
    [bea, notes, 404],
    [ann, outside, 400],
    [ann, join(allowed, 'link'), 400],
    [ann, join(notes, '..', '..'), 400],
    [ann, app.config.dataDir, 400],
    [ann, join(allowed, 'absent'), 409],
    [ann, 'notes', 409],
  ] as const
  for (const [browser, folder, status] of cases) {
    const response = await refused(t, app, folder, () => choose(browser, folder))
    t.equal(response.statusCode, status, folder)
  }
  t.notMatch((await ann.get(`${path}/files`)).body, join(allowed, 'link'))
  for (const form of ['', '/sync', '/stop'])
    t.equal((await ann.post(`${path}/folders${form}`, { folder: notes, name: 'x' })).statusCode, 403, 'C1')
  const eve = new Browser(app)
  await eve.signIn('eve@example.org')
  t.equal((await choose(eve, notes)).statusCode, 404)
})

t.test('links in a chosen folder are left out, and a folder that became one is refused', async t => {
  const { app, ann, allowed, notes, choose, path, owner, safe } = await open(t)
  const outside = dataDir(t)
  writeFileSync(join(outside, 'secret.md'), '# Secret\n\nNothing for a Safe.\n')
  symlinkSync(join(outside, 'secret.md'), join(notes, 'secret.md'))
  symlinkSync(outside, join(notes, 'away'))
  await choose(ann, notes)
  t.match((await ann.get(`${path}/files`)).body, /Left out: 2 /)
  renameSync(notes, join(allowed, 'moved'))
  symlinkSync(outside, notes)
  await app.keptFolders.runAll()
  t.match((await ann.get(`${path}/files`)).body, 'SYNC_FOLDERS does not include')
  t.equal((await app.safes.folders.list(owner.id, safe.id))[0]?.counts.files, 2)
})

t.test('a file is not read through a folder that became a link after it was listed', async t => {
  const { notes } = await open(t)
  const outside = dataDir(t)
  writeFileSync(join(outside, 'tax.md'), '# Secret')
  const { files } = await contentsOf(notes)
  renameSync(join(notes, 'deep'), join(outside, 'deep'))
  symlinkSync(outside, join(notes, 'deep'))
  const tax = files.find(({ path }) => path === 'deep/tax.md')
  await t.rejects(async () => tax?.open(), { code: 'ENOENT' })
  const bytes = await files.find(({ path }) => path === 'boiler.md')?.open()
  for await (const some of bytes ?? []) t.match(String(some), 'Boiler')
})

t.test('a folder that is not mounted any more, or empty, removes nothing without a confirmation', async t => {
  const { app, ann, notes, choose, posted, path, owner, safe } = await open(t)
  await choose(ann, notes)
  const sizeOf = async () => (await app.safes.folders.list(owner.id, safe.id))[0]?.counts.files
  rmSync(notes, { recursive: true })
  await app.keptFolders.runAll()
  t.match((await ann.get(`${path}/files`)).body, 'There is no folder')
  mkdirSync(notes)
  await app.keptFolders.runAll()
  const page = (await ann.get(`${path}/files`)).body
  t.match(page, 'Is it still mounted?')
  t.equal(await sizeOf(), 2)
  await posted(ann, '/sync')
  t.equal(await sizeOf(), 0, 'it was confirmed')
})

t.test('a folder rests when its administrator is none any more, or the setting is gone', async t => {
  const { app, ann, notes, choose, path, owner, safe } = await open(t)
  await choose(ann, notes)
  const bea = await app.accounts.findByEmail('bea@example.org')
  await app.accounts.setRole(bea?.id ?? '', 'admin')
  await app.accounts.setRole(owner.id, 'member')
  writeFileSync(join(notes, 'new.md'), 'A note.')
  await app.keptFolders.runAll()
  t.equal((await app.safes.folders.list(owner.id, safe.id))[0]?.counts.files, 2)
  t.match((await ann.get(`${path}/files`)).body, 'Only an administrator who owns this Safe')
})
