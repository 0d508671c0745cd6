import t from 'tap'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { build, dataDir, postgresUrl } from '../../helper.js'
import { once } from '../../once.js'
import { TEMPLATE } from '../../postgres-server.js'
import { stored, tables } from '../../written.js'
import { rowsOf as rowsIn, installation as running } from '../backup/installation.js'
import { runHere } from '../cli/svc.js'
import { Assistant } from '../oauth/assistant.js'

/** An embedded installation, stopped. A move only reads it. */
const installation = once(async () => {
  const { app, owner, sample, ...rest } = await running(t, 'sqlite', 700)
  const answer = (
    await app.safes.questions.ask(owner, sample.id, { query: 'Who leads the Lens Restoration?' })
  ).facts
  const rows = await stored(app)
  await app.close()
  return { ...rest, owner, sample, answer, rows }
})

/** All rows except the times of migrations and the record of the move. */
const rowsOf = ({ service_keys: _keys, ...all }: Record<string, unknown>) => rowsIn(all)

t.test('an embedded installation moves to Postgres: every row, every connection', async t => {
  const { folder, owner, sample, tokens, answer, rows, assistant } = await installation()
  const url = await postgresUrl(t)
  const move = () => runHere(folder, ['move', '--to', url])
  const moved = await move()
  t.equal(moved.code, 0, moved.stderr)
  t.match(moved.stdout, /^entities\t\d{3,}\t[0-9a-f]{64}$/m)
  t.equal(moved.stdout.trim().split('\n').length, 36, 'a line for each table')

  const again = await move()
  t.equal(again.code, 0, again.stderr)
  t.equal(again.stdout, moved.stdout, 'run again, it finds the same')

  await t.test('an interrupted move continues, unless something else is there already', async t => {
    const target = await openDatabase({ dataDir: folder, databaseUrl: url, role: 'server' })
    t.teardown(() => target.close())
    const rename = (from: string, to: string) =>
      target.write(trx => trx.updateTable('entities').set({ name: to }).where('name', '=', from).execute())
    await target.write(async trx => {
      await trx.deleteFrom('service_keys').where('name', '=', 'moved').execute()
      await trx.deleteFrom('relations').where('id', '>', 100).execute()
      await trx.deleteFrom('grants').execute()
    })
    await rename('Person 7', 'Somebody else')
    t.match(await move(), { code: 1, stderr: /Table entities differs between source and target/ })
    await rename('Somebody else', 'Person 7')
    const rest = await move()
    t.equal(rest.code, 0, rest.stderr)
    t.equal(rest.stdout, moved.stdout)
  })

  const app = await build(t, { setUp: 'embedded', env: { DATABASE_URL: url } })
  t.same(rowsOf(await stored(app)), rowsOf(rows))
  t.same(
    (await app.safes.questions.ask(owner, sample.id, { query: 'Who leads the Lens Restoration?' })).facts,
    answer,
  )
  const there = new Assistant(app)
  there.clientId = assistant.clientId
  t.ok(await there.works(tokens.access_token), 'the assistant goes on with the token it has')
  t.equal((await there.refresh(tokens.refresh_token)).statusCode, 200)
  t.match(await move(), { code: 1, stderr: /completed before, but table \w+ has changed since/ })
})

t.test('a move into a used database, or while the server runs, is rejected', async t => {
  const { folder } = await installation()
  const url = await postgresUrl(t, TEMPLATE)
  const other = await openDatabase({ dataDir: dataDir(t), databaseUrl: url, role: 'server' })
  t.teardown(() => other.close())
  await other.write(trx => trx.insertInto('service_keys').values({ name: 'main', value: 'other' }).execute())
  const before = await tables(other)
  t.match(await runHere(folder, ['move', '--to', url]), {
    code: 1,
    stderr: /belongs to another installation/,
  })
  t.same(await tables(other), before, 'nothing was changed there')

  const empty = await postgresUrl(t)
  t.match(await runHere(dataDir(t), ['move', '--to', empty]), { code: 1, stderr: /no installation/ })
  t.match(await runHere(folder, ['move', '--to', 'redis://x']), { code: 2 })
  t.match(await runHere(folder, ['move', '--to', url], '', { DATABASE_URL: url }), {
    code: 1,
    stderr: /already/,
  })
  const server = await openDatabase({ dataDir: folder, role: 'server' })
  t.match(await runHere(folder, ['move', '--to', empty]), {
    code: 1,
    stderr: /Another server is already running/,
  })
  await server.close()
})
