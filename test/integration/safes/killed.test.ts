import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { builtCli } from '../../built-cli.js'
import { dataDir } from '../../helper.js'
import { openSafes, people } from './open.js'

/** More rows than an index is built of without a thread. */
const MANY = 3_000
/** Of the time that an import takes. */
const MOMENTS = [0.4, 0.6, 0.8, 1]

/** A Safe with one import, another file to import, and how long that takes. */
async function open(t: Test) {
  const folder = dataDir(t)
  const svc = await builtCli(folder)
  const [file, other] = [join(folder, 'people.nt'), join(folder, 'other.nt')]
  writeFileSync(file, people(MANY))
  writeFileSync(other, people(MANY).replaceAll('/p', '/other').replaceAll('Person', 'Other'))
  await svc.run(['account', 'add', 'owner@example.com', '--password-stdin'], 'correct horse battery\n')
  await svc.run(['safe', 'add', 'People', '--owner', 'owner@example.com'])
  const began = performance.now()
  await svc.run(['safe', 'import', 'People', file])
  const duration = performance.now() - began
  const opened = await openSafes(t, { at: { dataDir: folder } })
  const { safe_id: id, account_id: owner } = await opened.database.read
    .selectFrom('memberships')
    .selectAll()
    .executeTakeFirstOrThrow()
  const ask = (name: string) => svc.run(['ask', 'People', `Whom does ${name} know?`, '--limit', '3'])
  return { ...opened, svc, id, owner, other, duration, ask, indexes: join(folder, 'indexes') }
}

t.test('an import killed with kill -9 at any moment leaves nothing visible (GRAPH §1)', async t => {
  const opened = await open(t)
  const { domain, database, svc, id, owner, other, duration, ask, indexes, clock } = opened
  const before = await ask('Person 7')
  t.match(before, /Person 7 — knows → Person 8/)
  const snapshot = readFileSync(join(indexes, id))
  const moments = [...MOMENTS.map(part => () => pause(part * duration)), () => writing(indexes)]
  for (const [at, moment] of moments.entries()) {
    const child = svc.start('safe', 'import', 'People', other)
    const ended = once(child, 'exit')
    await Promise.race([moment(), ended])
    child.kill('SIGKILL')
    await ended
    const [newest] = await domain.imports(owner, id)
    t.comment(
      `kill ${at}: ${newest?.id === 1 ? 'not begun' : newest?.status}, ${readdirSync(indexes).length} files`,
    )
    if (newest?.status === 'committed' && newest.id > 1) {
      // Quicker than the first was: then all of it is there.
      t.match(await ask('Other 7'), /Other 7 — knows → Other 8/)
      await domain.undoImport(owner, id, newest.id)
    }
    t.equal(await ask('Person 7'), before, `kill ${at}`)
  }

  // Whether or not a kill met it: half an index file.
  writeFileSync(join(indexes, `${id}.4711`), snapshot.subarray(0, snapshot.length / 2))
  // Killed between its last row and its index it looks like one that waits for its owner's yes, for an hour.
  clock.now = Date.now() + 3_700_000
  domain.sweep()
  await domain.settled()
  t.same(await importsWithRows(database), [1])
  t.same(readdirSync(indexes), [id])
  t.notOk(existsSync(opened.spoolFolder) && readdirSync(opened.spoolFolder).length > 0)
  t.equal(await ask('Person 7'), before, 'after the sweep')
  await svc.run(['safe', 'import', 'People', other])
  t.match(await ask('Other 7'), /Other 7 — knows → Other 8/)
})

async function importsWithRows({ read }: Awaited<ReturnType<typeof openSafes>>['database']) {
  const found = new Set<number>()
  for (const table of ['entities', 'aliases', 'passages', 'relations'] as const) {
    const rows = await read.selectFrom(table).select('import_id').distinct().execute()
    for (const { import_id } of rows) found.add(import_id)
  }
  return [...found]
}

/** Resolves when an index file is begun. */
async function writing(folder: string): Promise<void> {
  const watcher = watch(folder, { persistent: false })
  for (;;) {
    const [, name] = await once(watcher, 'change')
    if (!String(name).includes('.')) continue
    watcher.close()
    return
  }
}
