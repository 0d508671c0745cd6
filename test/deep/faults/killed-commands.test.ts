import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { builtCli } from '../../built-cli.js'
import { dataDir, postgresUrl } from '../../helper.js'
import { start } from '../../integration/cli/svc.js'
import { openInstallation, vaultIn } from '../../integration/cli/vault.js'
import { openSafes, people } from '../../integration/safes/open.js'
import { until } from '../../until.js'

for (const over of ['sqlite', 'postgres'] as const) {
  t.test(
    `${over}: kill -9 of svc safe sync leaves the last complete state, and the next run mends it`,
    async t => {
      const databaseUrl = over === 'postgres' ? await postgresUrl(t) : null
      const env: Record<string, string> = databaseUrl ? { DATABASE_URL: databaseUrl } : {}
      const { place, svc, safe } = await openInstallation(t, env)
      const { folder, write } = vaultIn(dataDir(t))
      write('Start.md', 'The word is before.')
      await svc('safe', 'sync', safe, folder)
      write('Start.md', 'The word is after.')
      for (let at = 0; at < 600; at++)
        write(`part ${at % 7}/Note ${at}.md`, `Beside [[Note ${at + 1}]].\n`.repeat(9))
      const database = await openDatabase({ dataDir: place, databaseUrl, role: 'cli' })
      t.teardown(() => database.close())
      const written = async () =>
        (await database.read.selectFrom('synced_files').select('id').limit(100).execute()).length
      const { child, ended } = await start(place, ['safe', 'sync', safe, folder], '', env)
      while ((await written()) < 100) await pause(5)
      child.kill('SIGKILL')
      t.equal((await ended).code, null)
      t.match(await svc('ask', safe, 'Which word is it?'), { stdout: /The word is before/ })
      t.notMatch(await svc('safe', 'export', safe, '--format', 'jsonl'), { stdout: /Beside|after/ })
      t.match(await svc('safe', 'sync', safe, folder), {
        code: 1,
        stderr: /If it was stopped, try again in \d+ s/,
      })
      // As if the ten seconds of its claim were over.
      await database.write(trx => trx.updateTable('synced_folders').set({ held_until: 1 }).execute())
      t.match(await svc('safe', 'sync', safe, folder), { code: 0, stderr: /600 files added, 1 file changed/ })
      t.match(await svc('ask', safe, 'Which word is it?'), { stdout: /The word is after/ })
      t.match(await svc('safe', 'list'), { stdout: /Notes\t602\t600\t601/ })
    },
  )
}

/** More rows than are indexed without a process. */
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
      // If it ended before the kill, everything is there.
      t.match(await ask('Other 7'), /Other 7 — knows → Other 8/)
      await domain.imports.undo(owner, id, newest.id)
    }
    t.equal(await ask('Person 7'), before, `kill ${at}`)
    // Rows of this import differ from those of the next.
    clock.now = Date.now() + 8 * 86_400_000
    domain.maintenance.sweep()
    await domain.idle()
    t.same([...(await rowsOf()).keys()], [1])
  }

  // Half an index file, with or without a kill.
  writeFileSync(join(indexes, `${id}.4711`), snapshot.subarray(0, snapshot.length / 2))
  domain.maintenance.sweep()
  await domain.idle()
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
