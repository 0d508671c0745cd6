import t, { type Test } from 'tap'
import { FIRST_VERSION } from '../../../domain/safes/stores/types.js'
import type { SyncOptions } from '../../../domain/safes/sync/folder-run.js'
import { relation } from '../../jsonl.js'
import { Folder } from './folder.js'
import { DATABASES, type Database, NO_ROWS, openSafe } from './open.js'

const DAYS = 86_400_000

for (const over of DATABASES) {
  t.test(`${over}: a run replaces what files brought, and adds and removes files, in one step`, async t => {
    const { folder, run, known, counts, domain, id, exported } = await open(t, over)
    folder.set('Ada.md', 'Knows [[Babbage]] and [[Byron]].').set('Babbage.md', 'Built an [[Engine]].')
    t.match(await run(), { report: { added: 2, changed: 0, removed: 0, run: 1, failedCount: 0 } })
    t.same(await known('Ada'), ['Ada links to Babbage [Ada.md]', 'Ada links to Byron [Ada.md]'])
    t.same(await counts(), { entities: 4, relations: 3, passages: 2, documents: 2 }, 'each thing counts once')

    folder.set('Ada.md', 'Knows [[Lovelace]].').set('Engine.md', 'Has [[Cogs]].').delete('Babbage.md')
    const versions = (await domain.find('ann', id))?.version ?? 0
    t.match(await run(), { report: { added: 1, changed: 1, removed: 1, run: 2 } })
    t.equal((await domain.find('ann', id))?.version, versions + 1, 'one visible change')
    t.same(await known('Ada'), ['Ada links to Lovelace [Ada.md]'])
    t.same(await known('Babbage'), [], 'nothing names it any more')
    t.same(await counts(), { entities: 4, relations: 2, passages: 2, documents: 2 })
    t.notMatch(await exported(), /Babbage|Byron/)
    t.match(await domain.folders.list('ann', id), [
      { name: 'notes', counts: { files: 2 }, isBusy: false, report: { changed: 1 } },
    ])

    t.match(await run(), { report: { run: null, added: 0, changed: 0 }, item: null })
    t.equal((await domain.find('ann', id))?.version, versions + 1, 'a run without changes changes nothing')
  })
}

t.test('a run is undone and restored; the next run brings the folder back', async t => {
  const { folder, run, known, counts, domain, id } = await open(t)
  folder.set('Ada.md', 'Knows [[Babbage]].')
  await run()
  folder.set('Ada.md', 'Knows [[Byron]].').set('Cy.md', 'Knows [[Di]].')
  await run()
  const after = await counts()
  await t.rejects(domain.imports.undo('ann', id, 1), { code: 'later_run' })
  await domain.imports.undo('ann', id, 2)
  t.same(await known('Ada'), ['Ada links to Babbage [Ada.md]'])
  t.same(await known('Cy'), [])
  t.same(await counts(), { entities: 2, relations: 1, passages: 1, documents: 1 })
  await domain.imports.restore('ann', id, 2)
  t.same(await known('Ada'), ['Ada links to Byron [Ada.md]'])
  t.same(await counts(), after)
  await domain.imports.undo('ann', id, 2)
  await domain.imports.undo('ann', id, 1)
  t.same(await counts(), { entities: 0, relations: 0, passages: 0, documents: 0 })
  t.match(await run(), { report: { added: 2, run: 3 } })
  t.same(await counts(), after)
  await t.rejects(domain.imports.restore('ann', id, 2), { code: 'not_found' }, 'it would come on top')
})

t.test('versions that cannot be seen again are dropped', async t => {
  const { folder, run, domain, id, rows, clock, counts, known, add } = await open(t)
  for (let at = 0; at < 5; at++) {
    folder.set('Ada.md', `Knows [[Person ${at}]].`)
    await run()
  }
  const passages = async () => (await rows()).passages.length
  t.equal(await passages(), 5)
  clock.now += 8 * DAYS
  await run()
  await domain.idle()
  t.equal(await passages(), 1)
  t.same(await known('Ada'), ['Ada links to Person 4 [Ada.md]'])
  await t.rejects(domain.imports.undo('ann', id, 5), { code: 'old_run' })
  await add('a.nt', '<http://x/a> <http://x/knows> <http://x/b> .')
  t.match(await counts(), { relations: 2 })
  await domain.removal.remove('ann', id)
  clock.now += 8 * DAYS
  domain.maintenance.sweep()
  await domain.idle()
  t.same(await rows(), NO_ROWS)
})

t.test('what 100 later runs have replaced is dropped, however many runs there are', async t => {
  const { folder, run, database, known, domain, id } = await open(t)
  const versions = async () => (await database.read.selectFrom('synced_files').select('id').execute()).length
  for (let at = 0; at < 110; at++) {
    folder.set('Ada.md', `Knows [[Person ${at}]].`)
    await run()
  }
  t.equal(await versions(), 101)
  t.same(await known('Ada'), ['Ada links to Person 109 [Ada.md]'])
  await t.rejects(domain.imports.undo('ann', id, 10), { code: 'later_run' })
})

t.test('a bad file keeps what it had brought, and is read again only when it changes', async t => {
  const { folder, run, known, database } = await open(t)
  folder.set('a.jsonl', relation('Ada', 'knows', 'Bo')).set('b.jsonl', relation('Cy', 'knows', 'Di'))
  await run()
  folder
    .set('a.jsonl', `${relation('Ada', 'knows', 'Ed')}\n{"bad`)
    .set('b.jsonl', relation('Cy', 'knows', 'Flo'))
  t.match(await run(), {
    report: { changed: 1, failedCount: 1, failed: [{ path: 'a.jsonl', badLines: [{ line: 2 }] }] },
  })
  t.same(await known('Ada'), ['Ada knows Bo [a.jsonl]'])
  t.same(await known('Cy'), ['Cy knows Flo [b.jsonl]'], 'the others are read')
  const opened = folder.opened
  t.match(await run(), { report: { run: null, failed: [{ path: 'a.jsonl' }] } }, 'it is reported again')
  t.equal(folder.opened, opened)
  folder.set('a.jsonl', relation('Ada', 'knows', 'Gus'))
  t.match(await run(), { report: { changed: 1, failedCount: 0 } })
  t.same(await known('Ada'), ['Ada knows Gus [a.jsonl]'])
  folder.set('a.jsonl', 'bad again')
  t.match(await run(), { report: { run: null, failedCount: 1 }, item: null }, 'a run of bad files only')
  const imports = database.read.selectFrom('imports').where('status', '=', 'failed').selectAll()
  const report = { problem: 'No file could be read.', bytesRead: 0 }
  const [failed] = await imports.execute()
  t.match({ ...failed, report: JSON.parse(failed?.report_json ?? '{}') }, { lease_expires_at: 0, report })
  t.same(await known('Ada'), ['Ada knows Gus [a.jsonl]'])
})

t.test('a document beside notes that cannot be read is left out, and said once', async t => {
  const { folder, run, known } = await open(t)
  folder.set('Ada.md', 'Knows [[Bo]].').set('scan.pdf', 'no PDF')
  t.match(await run(), {
    report: {
      added: 2,
      failedCount: 0,
      remarks: [{ file: 'scan.pdf', problem: /not a PDF.* It was left out\.$/ }],
    },
  })
  t.same(await known('Ada'), ['Ada links to Bo [Ada.md]'])
  t.match(await run(), { report: { run: null, failedCount: 0 } })
})

t.test('a renamed file is the same file', async t => {
  const { folder, run, known, database } = await open(t)
  const blank = '_:b0 <http://x/knows> <http://x/Ada> .'
  folder.set('a.nt', blank).set('other.nt', '<http://x/Bo> <http://x/knows> <http://x/Cy> .')
  await run()
  const before = await known('Ada')
  folder.delete('a.nt').set('moved/b.nt', blank)
  t.match(await run(), { report: { renamed: 1, added: 0, removed: 0 } })
  t.same(await known('Ada'), [before[0]?.replace('a.nt', 'moved/b.nt')], 'also its blank nodes')
  const files = database.read.selectFrom('synced_files').selectAll().where('path', 'like', '%b.nt')
  t.match(await files.execute(), [{ first_id: FIRST_VERSION }])
})

t.test('links mean the notes that there are now', async t => {
  const { folder, run, known } = await open(t)
  folder.set('Start.md', 'See [[Plan]].').set('a/Plan.md', 'One.')
  await run()
  t.same(await known('Start'), ['Start links to Plan [Start.md]'])
  folder.set('b/Plan.md', 'Two.')
  t.match(await run(), { report: { added: 1, changed: 0, relinked: 2 } })
  t.same(await known('Start'), ['Start links to a/Plan [Start.md]'], 'two notes are called by their paths')
  folder.delete('b/Plan.md')
  t.match(await run(), { report: { removed: 1, relinked: 2 } })
  t.same(await known('Start'), ['Start links to Plan [Start.md]'])
})

t.test('most files are removed only when confirmed; a folder elsewhere is another one', async t => {
  const { folder, run, counts } = await open(t)
  for (let at = 0; at < 12; at++) folder.set(`Note ${at}.md`, 'Text.')
  await run()
  for (let at = 0; at < 10; at++) folder.delete(`Note ${at}.md`)
  await t.rejects(run(), { code: 'removes_most' })
  t.match(await counts(), { passages: 12 })
  await t.rejects(run({ folder: '/elsewhere' }), { code: 'folder_elsewhere' })
  t.match(await run({ folder: '/elsewhere', confirmed: true }), { report: { removed: 10 } })
  folder.clear()
  await t.rejects(run({ folder: '/elsewhere' }), { code: 'removes_most' }, 'an unmounted disk')
  await t.rejects(run({ name: '\n' }), { code: 'invalid_name' })
})

t.test('the second of two runs at once says so', async t => {
  const { folder, run, known, clock } = await open(t)
  folder.set('Ada.md', 'Knows [[Bo]].')
  const second = { code: 'folder_busy', message: /Another run is updating “notes”/ }
  await run({}, () => t.rejects(run(), second))
  t.same(await known('Ada'), ['Ada links to Bo [Ada.md]'])
  clock.now += 60_000
  folder.set('Ada.md', 'Knows [[Cy]].')
  await run()
})

t.test('a run that lost its folder to another one changes nothing', async t => {
  const { folder, run, known, clock, domain, id } = await open(t)
  folder.set('Ada.md', 'Knows [[Bo]].')
  await t.rejects(
    run({}, async () => {
      clock.now += 60_000
      await domain.folders.sync('ann', id, { name: 'notes', folder: '/notes', walk: folder.walk })
    }),
    { code: 'folder_changed' },
  )
  t.same(await known('Ada'), ['Ada links to Bo [Ada.md]'])
})

t.test('a run whose folder cannot be read ends, and leaves the folder free', async t => {
  const { folder, run } = await open(t)
  folder.set('Ada.md', 'Knows [[Bo]].')
  const noDisk = () => Promise.reject(new Error('no disk'))
  await t.rejects(run({}, noDisk), { message: 'no disk' })
  t.match(await run(), { report: { added: 1 } })
})

async function open(t: Test, over?: Database) {
  const opened = await openSafe(t, { over })
  const { domain, clock, id, ask } = opened
  clock.now = Math.max(clock.now, 1e9)
  const folder = new Folder()
  const run = async (more: Partial<SyncOptions> = {}, before?: () => Promise<unknown>) => {
    const walk = async () => {
      await before?.()
      return folder.walk()
    }
    const done = await domain.folders.sync('ann', id, { name: 'notes', folder: '/notes', ...more, walk })
    await domain.idle()
    return done
  }
  const known = async (name: string) => {
    const { facts } = await ask({ mode: 'entity', entities: [name] })
    return facts
      .map(({ subject, predicate, object, sources }) => `${subject} ${predicate} ${object} [${sources}]`)
      .sort()
  }
  const counts = async () => (await domain.find('ann', id))?.counts
  return { ...opened, folder, run, known, counts }
}
