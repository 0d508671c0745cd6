import { chmodSync, copyFileSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import t, { type Test } from 'tap'
import { openBackupFile } from '../../../platform/storage/backup/backup-file.js'
import { makeBackup } from '../../../platform/storage/backup/make-backup.js'
import { verifyBackup } from '../../../platform/storage/backup/verify-backup.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { dataDir } from '../../data-dir.js'
import { runHere } from '../../integration/cli/svc.js'

/** Possible contents of a backup, each with a part of the sentence that refuses it. */
const OBJECTS = {
  'a trigger that makes administrators': {
    statements: [
      "create trigger up after insert on accounts begin update accounts set role = 'admin' where id = new.id; end",
    ],
    named: 'trigger up',
  },
  'a trigger that is called like the manifest': {
    statements: ['create trigger backup after insert on safes begin delete from memberships; end'],
    named: 'trigger backup',
  },
  'a view': {
    statements: ['create view all_tokens as select * from access_tokens'],
    named: 'view all_tokens',
  },
  'a view in place of a table': {
    statements: [
      'alter table invitations rename to others',
      'create view invitations as select * from others',
    ],
    named: '(?:index|table|view) \\w+',
  },
  'a table': { statements: ['create table notes (a)'], named: 'table notes' },
  'a virtual table': { statements: ['create virtual table words using fts5(a)'], named: 'table words' },
  'an index': { statements: ['create unique index one on accounts(created_at)'], named: 'index one' },
  'a column': {
    statements: ['alter table accounts add column is_root integer not null default 1'],
    named: 'table accounts',
  },
  less: {
    statements: ['drop index removed_memberships_account'],
    named: 'index removed_memberships_account',
  },
}

/** An installation with an account that nobody has opened, and a backup of it. */
async function place(t: Test) {
  const [used, folder] = [dataDir(t), dataDir(t)]
  const add = ['account', 'add', 'ann@a.example', '--password-stdin']
  t.equal((await runHere(used, add, 'correct horse battery\n')).code, 0)
  const backup = join(folder, 'today.db')
  t.equal((await runHere(used, ['backup', backup])).code, 0)
  // Its threads keep connections open until this process ends.
  for (const name of readdirSync(used).filter(name => /\.db(?:-wal)?$/.test(name)))
    copyFileSync(join(used, name), join(folder, name))
  return { folder, command: (...args: string[]) => runHere(folder, args), backup }
}

async function change(file: string, statements: string[]): Promise<void> {
  const db: Kysely<Schema> = await openBackupFile(file)
  for (const statement of statements) await sql.raw(statement).execute(db)
  await db.destroy()
}

t.test('a backup brings nothing but rows (ADR 59)', async t => {
  const { folder, command, backup } = await place(t)
  for (const [what, { statements, named }] of Object.entries(OBJECTS)) {
    const changed = join(folder, `${what}.db`)
    copyFileSync(backup, changed)
    await change(changed, statements)
    const stderr = new RegExp(`was changed after it was made: its ${named} is not what svc makes`)
    t.match(await command('restore', changed, '--yes'), { code: 1, stdout: '', stderr }, what)
  }
  t.notOk(existsSync(join(folder, 'backups')), 'nothing was replaced')
  t.match(await command('restore', backup, '--yes'), { code: 0, stderr: /Restored/ })
  t.match((await command('account', 'list')).stdout, 'ann@a.example')
})

t.test('what an operator has added to the database does not make a backup useless', async t => {
  const { folder } = await place(t)
  await change(join(folder, 'svc.db'), [
    'create index mine on accounts(created_at)',
    'create view people as select email from accounts',
  ])
  const file = join(folder, 'mine.db')
  await makeBackup({ dataDir: folder, databaseUrl: null }, file, 0)
  const { tables } = await verifyBackup(file)
  t.match(
    tables.find(({ table }) => table === 'accounts'),
    { rows: 1 },
  )
})

t.test('what is restored can be read by this user only, whatever the backup allowed', async t => {
  const { folder, command, backup } = await place(t)
  chmodSync(backup, 0o666)
  const before = process.umask(0)
  t.teardown(() => process.umask(before))
  t.match(await command('restore', backup, '--yes'), { code: 0, stderr: /Restored/ })
  t.equal(statSync(join(folder, 'svc.db')).mode & 0o777, 0o600)
})
