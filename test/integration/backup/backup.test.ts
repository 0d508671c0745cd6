import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { openBackupFile } from '../../../storage/backup/backup-file.js'
import { differing, sumsOf } from '../../../storage/backup/make-backup.js'
import { verifyBackup } from '../../../storage/backup/verify-backup.js'
import type { Database } from '../../../storage/database.js'
import { openDatabase } from '../../../storage/open-database.js'
import { build, dataDir, postgresUrl } from '../../helper.js'
import { stored } from '../../written.js'
import { onTerminal, runHere, start } from '../cli/svc.js'
import { Assistant } from '../oauth/assistant.js'
import { file, people } from '../safes/open.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

type Over = 'sqlite' | 'postgres'

/** A folder, and for Postgres a database; `env` is what the service and the command line get of it. */
async function place(t: Test, over: Over) {
  const folder = dataDir(t)
  const env = over === 'postgres' ? { DATABASE_URL: await postgresUrl(t) } : {}
  return { folder, env, command: (...args: string[]) => runHere(folder, args, '', env) }
}

/**
 * Stops a service. Its threads leave connections to SQLite open until this process ends, so what follows uses a copy
 * of its folder, which nobody has opened.
 */
async function stop(t: Test, app: FastifyInstance, env: Record<string, string>) {
  await app.close()
  const folder = dataDir(t)
  for (const name of readdirSync(app.config.dataDir).filter(name => /\.db(?:-wal)?$/.test(name)))
    copyFileSync(join(app.config.dataDir, name), join(folder, name))
  return { folder, command: (...args: string[]) => runHere(folder, args, '', env) }
}

/** An installation with an account, a connected assistant and two Safes, running. */
async function installation(t: Test, over: Over) {
  const there = await place(t, over)
  const app = await build(t, { setUp: 'embedded', env: { DATA_DIR: there.folder, ...there.env } })
  const assistant = await Assistant.registered(app)
  await assistant.browser.signIn('ann@a.example')
  const owner = (await app.accounts.findByEmail('ann@a.example'))?.id ?? ''
  const sample = await app.safes.createSample(owner)
  const { id } = await app.safes.create(owner, 'Käse, 漢字, 🙂')
  await app.safes.import(owner, id, file('people.nt', people(700)))
  const tokens = await assistant.connect()
  return { ...there, app, assistant, owner, sample, id, tokens }
}

const rowsOf = (all: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('kysely')))

const sourcesIn = async (app: FastifyInstance, owner: string, safe: string) =>
  (await app.safes.imports(owner, safe, { limit: 1000 })).map(({ source }) => source)

const OTHER = { sqlite: 'postgres', postgres: 'sqlite' } as const

for (const over of ['sqlite', 'postgres'] as const) {
  t.test(
    `over ${over}, a backup of a running service restores every row, here and in the other database`,
    async t => {
      const { folder, command, app, sample, owner } = await installation(t, over)
      const rows = await stored(app)
      const backup = join(folder, 'today.db')
      const made = await command('backup', backup)
      t.equal(made.code, 0, made.stderr)
      t.match(made.stdout, /^entities\t\d{3,}\t[0-9a-f]{64}$/m)
      t.equal(statSync(backup).mode & 0o777, 0o600)
      t.same(
        readdirSync(folder).filter(name => name.startsWith('today')),
        ['today.db'],
        'one file',
      )
      t.match(await command('backup', backup), { code: 1, stderr: /exists already/ })
      await app.close()

      for (const target of [over, OTHER[over]]) {
        const { folder, env, command } = await place(t, target)
        const restored = await command('restore', backup, '--keep-sign-ins')
        t.equal(restored.code, 0, restored.stderr)
        t.equal(restored.stdout, made.stdout, 'the same counts and sums')
        const again = await build(t, { setUp: 'embedded', env: { DATA_DIR: folder, ...env } })
        t.same(rowsOf(await stored(again)), rowsOf(rows))
        t.match(await again.safes.ask(owner, sample.id, { query: 'Who leads the Lens Restoration?' }), {
          facts: [{ subject: 'Jonas Lindqvist' }],
        })
      }
    },
  )

  t.test(`over ${over}, a restore ends all sign-ins, and what it replaced can be restored`, async t => {
    const { env, app, assistant, id, tokens, owner, ...running } = await installation(t, over)
    const backup = join(running.folder, 'today.db')
    t.equal((await running.command('backup', backup)).code, 0)
    await app.safes.import(owner, id, file('later.nt', people(3).replaceAll('/p', '/later')))
    const later = await stored(app)
    const stopped = await stop(t, app, env)

    const restored = await stopped.command('restore', backup)
    t.equal(restored.code, 0, restored.stderr)
    const open = (folder: string) => build(t, { setUp: 'embedded', env: { DATA_DIR: folder, ...env } })
    const old = await open(stopped.folder)
    t.same(await sourcesIn(old, owner, id), ['people.nt'])
    const then = new Assistant(old)
    then.clientId = assistant.clientId
    t.notOk(await then.works(tokens.access_token))
    t.match(await then.refresh(tokens.refresh_token), { statusCode: 400 })
    const again = await stop(t, old, env)

    const [, before = ''] = /before is in (.*)\.$/m.exec(restored.stderr) ?? []
    const back = await again.command('restore', before, '--keep-sign-ins')
    t.equal(back.code, 0, back.stderr)
    t.same(rowsOf(await stored(await open(again.folder))), rowsOf(later))
  })

  t.test(`over ${over}, a backup under write load is a state that existed`, async t => {
    const { folder, env, app, owner, id } = await installation(t, over)
    let writing = true
    const writer = (async () => {
      for (let n = 0; writing; n++)
        await app.safes.import(owner, id, file(`${n}.nt`, people(40).replaceAll('/p', `/${n}-`)))
    })()
    const backups: string[] = []
    for (let n = 0; n < 3; n++) {
      const backup = join(folder, `${n}.db`)
      const { ended } = await start(folder, ['backup', backup], '', env)
      t.match(await ended, { code: 0 })
      backups.push(backup)
    }
    writing = false
    await writer
    await app.close()

    let imports = 0
    for (const backup of backups) {
      const { folder, command } = await place(t, 'sqlite')
      t.match(await command('restore', backup), { code: 0 })
      const again = await build(t, { setUp: 'embedded', env: { DATA_DIR: folder } })
      const sources = await sourcesIn(again, owner, id)
      t.ok(sources.length > imports, `${sources.length} imports`)
      imports = sources.length - 1
      const whole = (await again.safes.imports(owner, id, { limit: 1000 })).filter(
        ({ status }) => status === 'committed',
      )
      const { rows } = await sql<{ import_id: number; rows: number }>`
        select import_id, count(*) as rows from relations
        where safe_id = ${id} and import_id in (${sql.join(whole.map(({ id }) => id))}) group by import_id order by import_id desc
      `.execute(again.database.read)
      t.strictSame(
        rows.map(row => ({ ...row })),
        whole.map(({ id, counts }) => ({ import_id: id, rows: counts.relations })),
        'each of them whole',
      )
      await again.close()
    }
  })

  t.test(`over ${over}, kill -9 during a restore leaves what was there, or the backup`, async t => {
    const { env, app, ...running } = await installation(t, over)
    const backup = join(running.folder, 'today.db')
    t.equal((await running.command('backup', backup)).code, 0)
    const { folder } = await stop(t, app, env)
    /** Runs on the database as it is, without a service. */
    const within = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
      const location = { dataDir: folder, databaseUrl: env.DATABASE_URL ?? null }
      const database = await openDatabase({ ...location, role: 'server' })
      return work(database).finally(() => database.close())
    }
    const restoring = () => {
      // Closed connections keep the file open until their statements are collected, and restoring waits for nobody.
      collectGarbage()
      return start(folder, ['restore', backup], '', env)
    }
    const sums = () => within(({ read }) => sumsOf(read))
    const began = performance.now()
    t.match(await (await restoring()).ended, { code: 0 })
    const duration = performance.now() - began
    const restored = await sums()
    const seen = new Set<string>()
    for (const part of [0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.2]) {
      await within(({ write }) =>
        write(trx =>
          trx
            .insertInto('service_keys')
            .values({ name: `at ${part}`, value: 'x' })
            .execute(),
        ),
      )
      const before = await sums()
      const { child, ended } = await restoring()
      const timer = setTimeout(() => child.kill('SIGKILL'), part * duration)
      const { code, stderr } = await ended
      clearTimeout(timer)
      t.ok(code === null || code === 0, stderr)
      const after = await sums()
      const isOld = differing(before, after) === undefined
      t.ok(isOld || differing(restored, after) === undefined, `after ${part} of the time`)
      seen.add(isOld ? 'old' : 'restored')
    }
    t.ok(seen.has('old'), 'some were killed early enough')
    const last = await (await restoring()).ended
    t.equal(last.code, 0, last.stderr)
    t.same(await sums(), restored)
    t.same(
      readdirSync(folder).filter(name => /restoring|part/.test(name)),
      [],
      'nothing is left over',
    )
    t.same(
      readdirSync(join(folder, 'backups')).filter(name => !/\.db$/.test(name)),
      [],
    )
  })
}

t.test('a truncated, edited, foreign or missing file is refused, and nothing is changed', async t => {
  const { folder, command, app } = await installation(t, 'sqlite')
  const rows = await stored(app)
  const backup = join(folder, 'today.db')
  t.equal((await command('backup', backup)).code, 0)
  const stopped = await stop(t, app, {})
  const { size } = statSync(backup)
  const copy = (name: string) => {
    const to = join(folder, name)
    copyFileSync(backup, to)
    return to
  }
  const refused = async (file: string, reason: RegExp) =>
    t.match(await stopped.command('restore', file), { code: 1, stderr: reason }, file)

  for (const bytes of [1, 1000, 4096, Math.floor(size / 2), size - 4096, size - 1]) {
    const cut = copy(`cut-${bytes}.db`)
    truncateSync(cut, bytes)
    await refused(cut, /not a backup|damaged or incomplete/)
  }
  const empty = join(folder, 'empty.db')
  writeFileSync(empty, '')
  await refused(empty, /not a backup/)
  const text = join(folder, 'text.db')
  writeFileSync(text, 'once upon a time '.repeat(1000))
  await refused(text, /not a backup/)
  await refused(join(folder, 'missing.db'), /There is no file/)
  await refused(folder, /is not a backup/)

  const edited = copy('edited.db')
  const name = Buffer.from('Person 7')
  const at = readFileSync(edited).indexOf(name)
  const handle = openSync(edited, 'r+')
  writeSync(handle, Buffer.from('Person 8'), 0, name.length, at)
  closeSync(handle)
  await refused(edited, /was changed after it was made: its table entities|damaged/)
  const updates = [
    sql`update accounts set role = 'admin', email = 'eve@a.example'`,
    sql`delete from memberships`,
    sql`drop table activity`,
    sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`,
  ]
  for (const [n, update] of updates.entries()) {
    const changed = copy(`changed-${n}.db`)
    const db = await openBackupFile(changed)
    await update.execute(db)
    await db.destroy()
    await refused(changed, /was changed after it was made/)
  }
  await refused(join(stopped.folder, 'svc.db'), /a database, but not a backup/)
  const newer = copy('newer.db')
  const db = await openBackupFile(newer)
  await sql`insert into kysely_migration values ('9999-later', '2099-01-01')`.execute(db)
  await db.destroy()
  await refused(newer, /newer version/)

  const again = await build(t, { setUp: 'embedded', env: { DATA_DIR: stopped.folder } })
  t.same(rowsOf(await stored(again)), rowsOf(rows))
  t.notOk(existsSync(join(stopped.folder, 'backups')))
})

t.test('a restore is refused while a server or another command uses the database', async t => {
  for (const over of ['sqlite', 'postgres'] as const) {
    const { env, app, ...running } = await installation(t, over)
    const backup = join(running.folder, 'today.db')
    t.equal((await running.command('backup', backup)).code, 0)
    t.match(await running.command('restore', backup), {
      code: 1,
      stderr: /A server is running|other connection/,
    })
    const { folder, command } = await stop(t, app, env)
    const other = await openDatabase({ dataDir: folder, databaseUrl: env.DATABASE_URL ?? null, role: 'cli' })
    await sql`select 1`.execute(other.read)
    t.match(await command('restore', backup), {
      code: 1,
      stderr: /Another svc command uses|other connection/,
    })
    await other.close()
  }
})

t.test('a broken database is replaced, and kept as it is', async t => {
  const { app, ...running } = await installation(t, 'sqlite')
  const backup = join(running.folder, 'today.db')
  t.equal((await running.command('backup', backup)).code, 0)
  const { folder, command } = await stop(t, app, {})
  const broken = Buffer.from('broken '.repeat(10_000))
  rmSync(join(folder, 'svc.db-wal'), { force: true })
  writeFileSync(join(folder, 'svc.db'), broken)
  const restored = await command('restore', backup)
  t.match(restored, { code: 0, stderr: /What was there before is in/ })
  const [kept = ''] = readdirSync(join(folder, 'backups'))
  t.same(readFileSync(join(folder, 'backups', kept)), broken)
  t.ok(await build(t, { setUp: 'embedded', env: { DATA_DIR: folder } }))
})

t.test('a backup of an earlier release is restored and updated', async t => {
  const release = fileURLToPath(new URL('../../fixtures/releases/0001-initial/sqlite.db.gz', import.meta.url))
  const from = dataDir(t)
  writeFileSync(join(from, 'svc.db'), gunzipSync(readFileSync(release)))
  const backup = join(from, 'old.db')
  t.match(await runHere(from, ['backup', backup]), { code: 0 })
  for (const over of ['sqlite', 'postgres'] as const) {
    const { folder, env, command } = await place(t, over)
    t.match(await command('restore', backup), { code: 0 })
    const app = await build(t, { setUp: 'embedded', env: { DATA_DIR: folder, ...env } })
    t.same(
      (await app.accounts.list()).map(({ email }) => email),
      ['ada@example.org', 'bob@example.org'],
    )
  }
})

for (const over of ['sqlite', 'postgres'] as const) {
  t.test(`over ${over}, an update keeps a backup of what was there`, async t => {
    const { folder, env, command } = await place(t, over)
    const old = dataDir(t)
    const release = new URL('../../fixtures/releases/0001-initial/', import.meta.url)
    const unzip = (name: string) => gunzipSync(readFileSync(fileURLToPath(new URL(name, release))))
    writeFileSync(join(old, 'svc.db'), unzip('sqlite.db.gz'))
    if (over === 'sqlite') copyFileSync(join(old, 'svc.db'), join(folder, 'svc.db'))
    else await run(env.DATABASE_URL ?? '', unzip('postgres.sql.gz').toString())
    t.match(await command('migrate'), { code: 0 })
    const [name = '', ...others] = readdirSync(join(folder, 'backups'))
    t.match(name, /^before-update-\d{4}-.*Z\.db$/)
    t.same(others, [])
    const made = await verifyBackup(join(folder, 'backups', name))
    t.equal(made.schema, '0001-initial')
    t.ok((made.tables.find(({ table }) => table === 'relations')?.rows ?? 0) > 0)
    t.match(await command('migrate'), { code: 0 })
    t.equal(readdirSync(join(folder, 'backups')).length, 1, 'nothing to update, nothing to back up')
  })
}

async function run(url: string, statements: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statements)
  await client.end()
}

t.test('a backup goes to the standard output, and a person is asked before a restore', async t => {
  const { folder, app } = await installation(t, 'sqlite')
  await app.close()
  const to = dataDir(t)
  const { child, ended } = await start(folder, ['backup', '-'])
  const chunks: Buffer[] = []
  child.stdout.on('data', chunk => chunks.push(chunk))
  t.match(await ended, { code: 0 })
  const backup = join(to, 'piped.db')
  writeFileSync(backup, Buffer.concat(chunks))
  t.same(
    readdirSync(folder).filter(name => name.startsWith('backup')),
    [],
  )
  t.match(await onTerminal(to, ['restore', backup], 'n\n'), { code: 1, stderr: /Nothing was changed/ })
  t.notOk(existsSync(join(to, 'svc.db')))
  t.match(await onTerminal(to, ['restore', backup], 'y\n'), { code: 0 })
  t.match(await runHere(dataDir(t), ['backup', join(to, 'none.db')]), {
    code: 1,
    stderr: /nothing to back up/,
  })
})
