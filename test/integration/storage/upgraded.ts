import { Readable } from 'node:stream'
import type { Test } from 'tap'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import type { SqliteDriverName } from '../../../platform/storage/sqlite/sqlite-driver.js'
import type { Used } from '../../fixtures/releases/release.js'
import { build, testClock } from '../../helper.js'
import { posterOf } from '../mcp/service.js'
import { Assistant } from '../oauth/assistant.js'
import { PASSWORD } from '../pages/browser.js'

/** Opens a database with the present service, which updates it. */
export async function update(place: DatabaseLocation, sqliteDriver?: SqliteDriverName): Promise<void> {
  const driver = sqliteDriver ? { sqliteDriver } : {}
  await (await openDatabase({ ...place, role: 'server', ...driver })).close()
}

/** Asserts that data from a release can be used: accounts, Safes, answers, tokens, pages, imports. */
export async function works(t: Test, { dataDir, databaseUrl }: DatabaseLocation, used: Used): Promise<void> {
  const env = { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }
  const app = await build(t, { setUp: 'embedded', clock: testClock(used.at), env })
  const assistant = new Assistant(app)
  assistant.clientId = used.clientId

  const list = await app.accounts.records.list()
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

  for (const { safe, question, fact } of used.questions)
    t.match(await ask(used.accessToken, safe, question), fact, question)
  for (const [safe, before] of Object.entries(used.exports))
    t.equal(await exported(safe), before, 'exports have not changed')

  const refreshed = await assistant.refresh(used.refreshToken)
  t.equal(refreshed.statusCode, 200, 'the refresh token works')
  const [first = { safe: '', question: '', fact: '' }] = used.questions
  t.match(await ask(refreshed.json().access_token, first.safe, first.question), first.fact)
  const connections = await app.oauth.connections.listFor(ada)
  t.equal(connections.filter(({ ended }) => ended).length, 1, 'one is revoked')
  for (const page of ['/', '/connections', '/activity', ...safes.map(({ id }) => `/safes/${id}/files`)])
    t.equal((await assistant.browser.get(page)).statusCode, 200, page)

  const bytes = Readable.from(['{"type":"entity","name":"Grace","entityType":"person","observations":[]}'])
  const added = await app.safes.imports.add(ada, used.notes, { source: 'grace.jsonl', bytes, commit: true })
  t.match(added, { id: 3, status: 'committed' }, 'imports are counted on')
  await app.safes.imports.undo(ada, used.notes, 2)
  const imports = await app.safes.imports.list(ada, used.notes)
  t.same(
    imports.map(({ source }) => source),
    ['grace.jsonl', 'memory.jsonl'],
    'an import of the release can be undone',
  )
  t.match(await exported(used.notes), /^(?!.*Brazil).*Grace/s)

  async function exported(safe: string): Promise<string> {
    const { chunks } = await app.safes.export(ada, safe, 'jsonl')
    const parts: string[] = []
    for await (const chunk of chunks) parts.push(String(chunk))
    return parts.join('').trim()
  }

  async function ask(accessToken: string, safe: string, query: string): Promise<string> {
    return (await posterOf(app)({ accessToken }).tool('svc', { safe, query })).content[0].text
  }
}
