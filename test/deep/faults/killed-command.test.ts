import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { builtCli } from '../../built-cli.js'
import { dataDir } from '../../helper.js'
import { openSafes, people, until } from '../../integration/safes/open.js'

/** More rows than an index is built of without a process. */
const MANY = 3_000
const TABLES = ['entities', 'aliases', 'passages', 'relations'] as const

/** A Safe with one import, and another file to import. */
async function open(t: Test) {
  const folder = dataDir(t)
  const svc = await builtCli(folder)
  const [file, other] = [join(folder, 'people.nt'), join(folder, 'other.nt')]
  writeFileSync(file, people(MANY))
  writeFileSync(other, people(MANY).replaceAll('/p', '/other').replaceAll('Person', 'Other'))
  await svc.run(['account', 'add', 'owner@example.com', '--password-stdin'], 'correct horse battery\n')
  await svc.run(['safe', 'add', 'People', '--owner', 'owner@example.com'])
  await svc.run(['safe', 'import', 'People', file])
  const opened = await openSafes(t, { at: { dataDir: folder } })
  const { read } = opened.database
  const membership = await read.selectFrom('memberships').selectAll().executeTakeFirstOrThrow()
  const ask = (name: string) => svc.run(['ask', 'People', `Whom does ${name} know?`, '--limit', '3'])
  /** Import → its rows. */
  const rowsOf = async () => {
    const counts = new Map<number, number>()
    for (const table of TABLES) {
      const rows = await read.selectFrom(table).select('import_id').execute()
      for (const { import_id } of rows) counts.set(import_id, (counts.get(import_id) ?? 0) + 1)
    }
    return counts
  }
  const { safe_id: id, account_id: owner } = membership
  return { ...opened, svc, id, owner, other, ask, rowsOf, indexes: join(folder, 'indexes') }
}

t.test('an import killed with kill -9 at any moment leaves nothing visible (GRAPH §1)', async t => {
  const { domain, svc, id, owner, other, ask, rowsOf, indexes, clock, spoolFolder } = await open(t)
  const before = await ask('Person 7')
  t.match(before, /Person 7 — knows → Person 8/)
  const snapshot = readFileSync(join(indexes, id))
  const all = (await rowsOf()).get(1) ?? 0
  const written = (count: number) => () =>
    until(async () => [...(await rowsOf())].some(([importId, rows]) => importId > 1 && rows >= count))
  for (const [at, moment] of [written(1), written(all / 2), written(all), () => writing(indexes)].entries()) {
    const child = svc.start('safe', 'import', 'People', other)
    const ended = once(child, 'exit')
    await Promise.race([moment(), ended])
    child.kill('SIGKILL')
    await ended
    const [newest] = await domain.imports.list(owner, id)
    t.comment(`kill ${at}: ${newest?.status}, ${readdirSync(indexes).length} files`)
    if (newest?.status === 'committed' && newest.id > 1) {
      // It was over before it was killed: then all of it is there.
      t.match(await ask('Other 7'), /Other 7 — knows → Other 8/)
      await domain.imports.undo(owner, id, newest.id)
    }
    t.equal(await ask('Person 7'), before, `kill ${at}`)
    // Rows of this import are not those of the next.
    clock.now = Date.now() + 8 * 86_400_000
    domain.upkeep.sweep()
    await domain.settled()
    t.same([...(await rowsOf()).keys()], [1])
  }

  // Whether or not a kill met it: half an index file.
  writeFileSync(join(indexes, `${id}.4711`), snapshot.subarray(0, snapshot.length / 2))
  domain.upkeep.sweep()
  await domain.settled()
  t.same(readdirSync(indexes), [id])
  t.notOk(existsSync(spoolFolder) && readdirSync(spoolFolder).length > 0)
  t.equal(await ask('Person 7'), before, 'after the sweep')
  await svc.run(['safe', 'import', 'People', other])
  t.match(await ask('Other 7'), /Other 7 — knows → Other 8/)
})

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
