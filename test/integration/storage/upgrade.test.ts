import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { openDatabase } from '../../../storage/open-database.js'
import type { SqliteDriverName } from '../../../storage/sqlite/sqlite-driver.js'
import { QUESTIONS, type Used } from '../../fixtures/releases/release.js'
import { build, dataDir, postgresUrl, testClock } from '../../helper.js'
import { Assistant } from '../oauth/assistant.js'
import { PASSWORD } from '../pages/browser.js'
import { drivers } from '../sqlite/drivers.js'

const releases = fileURLToPath(new URL('../../fixtures/releases', import.meta.url))
const folders = readdirSync(releases, { withFileTypes: true }).filter(entry => entry.isDirectory())
const unzip = (...path: string[]) => gunzipSync(readFileSync(join(releases, ...path)))

for (const { name } of folders) {
  const used = JSON.parse(readFileSync(join(releases, name, 'used.json'), 'utf8'))

  for (const driver of drivers) {
    t.test(`what a release with the schema ${name} stored in SQLite works, migrated by ${driver}`, async t =>
      works(t, await sqliteFolder(t, name, driver), used.sqlite),
    )
  }

  t.test(`what a release with the schema ${name} stored in Postgres works`, async t =>
    works(t, { DATABASE_URL: await postgresDatabase(t, name) }, used.postgres),
  )
}

async function sqliteFolder(t: Test, release: string, sqliteDriver: SqliteDriverName) {
  const folder = dataDir(t)
  writeFileSync(join(folder, 'svc.db'), unzip(release, 'sqlite.db.gz'))
  await (await openDatabase({ dataDir: folder, role: 'server', sqliteDriver })).close()
  return { DATA_DIR: folder }
}

async function postgresDatabase(t: Test, release: string): Promise<string> {
  const url = await postgresUrl(t)
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(unzip(release, 'postgres.sql.gz').toString())
  await client.end()
  return url
}

async function works(t: Test, env: Record<string, string>, used: Used): Promise<void> {
  const app = await build(t, { setUp: 'embedded', clock: testClock(used.at), env })
  const assistant = new Assistant(app)
  assistant.clientId = used.clientId

  const list = await app.accounts.list()
  t.match(
    list.map(({ email, role }) => [email, role]),
    [
      ['ada@example.org', 'admin'],
      ['bob@example.org', 'member'],
    ],
  )
  const [ada = '', bob = ''] = list.map(({ id }) => id)
  const fields = { email: 'ada@example.org', password: PASSWORD }
  const signedIn = await assistant.browser.submit('/login', '/login', fields)
  t.equal(signedIn.statusCode, 303, 'the password is still right')

  const safes = await app.safes.readableBy(ada)
  t.match(
    safes.find(({ id }) => id === used.notes),
    { name: 'Notes', role: 'owner', counts: { entities: 10, relations: 5, passages: 2 } },
    'Safes have the totals that a later schema added',
  )
  t.same(
    (await app.safes.readableBy(bob)).map(({ id, role }) => ({ id, role })),
    [{ id: used.notes, role: 'reader' }],
  )

  for (const { question, fact } of QUESTIONS)
    t.match(await ask(used.accessToken, used.sample, question), fact, question)
  t.equal(await exported(), used.exported, 'exports have not changed')

  const refreshed = await assistant.refresh(used.refreshToken)
  t.equal(refreshed.statusCode, 200, 'the refresh token works')
  t.match(await ask(refreshed.json().access_token, used.sample, QUESTIONS[0]?.question ?? ''), 'Lindqvist')
  const connections = await app.oauth.connections.listFor(ada)
  t.same(connections.map(({ ended }) => ended).sort(), [false, true], 'one of two is revoked')

  const bytes = Readable.from(['{"type":"entity","name":"Grace","entityType":"person","observations":[]}'])
  const added = await app.safes.import(ada, used.notes, { source: 'grace.jsonl', bytes, commit: true })
  t.match(added, { id: 3, status: 'committed' }, 'imports are counted on')
  await app.safes.undoImport(ada, used.notes, 2)
  const imports = await app.safes.imports(ada, used.notes)
  t.same(
    imports.map(({ source }) => source),
    ['grace.jsonl', 'memory.jsonl'],
    'an import of the release can be undone',
  )
  t.match(await exported(), /^(?!.*Brazil).*Grace/s)

  async function exported(): Promise<string> {
    const { chunks } = await app.safes.export(ada, used.notes, 'jsonl')
    const parts: string[] = []
    for await (const chunk of chunks) parts.push(String(chunk))
    return parts.join('').trim()
  }

  async function ask(token: string, safe: string, query: string): Promise<string> {
    const params = { name: 'svc', arguments: { safe, query } }
    const reply = await app.inject({
      method: 'POST',
      url: '/mcp/v1',
      headers: { authorization: `Bearer ${token}`, 'mcp-protocol-version': '2025-06-18' },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    })
    return reply.json().result?.content[0].text ?? reply.body
  }
}
