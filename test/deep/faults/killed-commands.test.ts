import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openDatabase } from '../../../storage/open-database.js'
import { dataDir, postgresUrl } from '../../helper.js'
import { runHere, start } from '../../integration/cli/svc.js'
import { people } from '../../integration/safes/open.js'

for (const over of ['sqlite', 'postgres'] as const) {
  t.test(
    `${over}: kill -9 of svc safe sync leaves the last complete state, and the next run mends it`,
    async t => {
      const { folder, write, svc, safe, place, env } = await open(t, over)
      write('Start.md', 'The word is before.')
      await svc('safe', 'sync', safe, folder)
      write('Start.md', 'The word is after.')
      for (let at = 0; at < 600; at++)
        write(`part ${at % 7}/Note ${at}.md`, `Beside [[Note ${at + 1}]].\n`.repeat(9))
      const database = await openDatabase({ ...place, role: 'cli' })
      t.teardown(() => database.close())
      const written = async () =>
        (await database.read.selectFrom('synced_files').select('id').limit(100).execute()).length
      const { child, ended } = await start(place.dataDir, ['safe', 'sync', safe, folder], '', env)
      while ((await written()) < 100) await pause(5)
      child.kill('SIGKILL')
      t.equal((await ended).code, null)
      t.match(await svc('ask', safe, 'Which word is it?'), { stdout: /The word is before/ })
      t.notMatch(await svc('safe', 'export', safe, '--format', 'jsonl'), { stdout: /Beside|after/ })
      t.match(await svc('safe', 'sync', safe, folder), {
        code: 1,
        stderr: /If it was ended, try again in \d+ s/,
      })
      // As if the ten seconds of its claim were over.
      await database.write(trx => trx.updateTable('synced_folders').set({ held_until: 1 }).execute())
      t.match(await svc('safe', 'sync', safe, folder), { code: 0, stderr: /600 added, 1 changed/ })
      t.match(await svc('ask', safe, 'Which word is it?'), { stdout: /The word is after/ })
      t.match(await svc('safe', 'list'), { stdout: /Notes\t602\t600\t601/ })
    },
  )
}

t.test('an import killed with kill -9 leaves nothing, and the next one succeeds (GRAPH §1)', async t => {
  const folder = dataDir(t)
  const file = join(folder, 'people.nt')
  writeFileSync(file, people(60_000))
  await runHere(folder, ['account', 'add', 'ann@example.com', '--password-stdin'], 'a long password\n')
  await runHere(folder, ['safe', 'add', 'People', '--owner', 'ann@example.com'])
  const database = await openDatabase({ dataDir: folder, role: 'server' })
  t.teardown(() => database.close())

  const killed = await start(folder, ['safe', 'import', 'People', file])
  const staged = () => database.read.selectFrom('entities').select('key').limit(2000).execute()
  while ((await staged()).length < 2000) await pause(10)
  killed.child.kill('SIGKILL')
  t.equal((await killed.ended).code, null)
  t.match(await database.read.selectFrom('imports').selectAll().execute(), [{ id: 1, status: 'staged' }])
  const safes = JSON.parse((await runHere(folder, ['safe', 'list', '--json'])).stdout)
  t.match(safes, [{ version: 0, entities: 0 }])

  writeFileSync(file, people(500))
  t.match(await runHere(folder, ['safe', 'import', 'People', file]), { code: 0, stdout: '2\n' })
  const [safe] = JSON.parse((await runHere(folder, ['safe', 'list', '--json'])).stdout)
  t.match(safe, { version: 1, entities: 501, relations: 500 })
})

function vault(t: Test) {
  const folder = join(dataDir(t), 'vault')
  mkdirSync(folder)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { folder, write }
}

async function open(t: Test, over: 'sqlite' | 'postgres') {
  const place = { dataDir: dataDir(t), databaseUrl: over === 'postgres' ? await postgresUrl(t) : null }
  const env: Record<string, string> = place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}
  const svc = (...args: string[]) => runHere(place.dataDir, args, '', env)
  await runHere(
    place.dataDir,
    ['account', 'add', 'ann@a.example', '--password-stdin'],
    'a long password\n',
    env,
  )
  const safe = (await svc('safe', 'add', 'Notes', '--owner', 'ann@a.example')).stdout.trim()
  return { ...vault(t), svc, safe, place, env }
}
