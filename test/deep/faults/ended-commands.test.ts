import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sqliteDriver } from '../../../platform/storage/sqlite/load-driver.js'
import { dataDir } from '../../data-dir.js'
import { runHere, start } from '../../integration/cli/svc.js'

const ROUNDS = 3

t.test('every command ends by itself while a checkpoint is due', async t => {
  const folder = dataDir(t)
  const add = ['account', 'add', 'ann@a.example', '--password-stdin']
  await runHere(folder, add, 'correct horse battery\n')
  await runHere(folder, ['safe', 'add', 'Notes', '--owner', 'ann@a.example'])
  const notes = join(folder, 'notes')
  mkdirSync(notes)
  writeFileSync(join(notes, 'Ada.md'), 'lives in:: [[Graz]]\n')
  // The state of a busy server: a long log, which no command may mistake for its own.
  const db = (await sqliteDriver()).open(join(folder, 'svc.db'), 5000)
  t.teardown(() => db.close())
  db.exec('pragma wal_autocheckpoint = 0')
  const commands = [
    ['account', 'list'],
    ['safe', 'list'],
    ['safe', 'import', 'Notes', join(notes, 'Ada.md')],
    ['safe', 'imports', 'Notes'],
    ['safe', 'sync', 'Notes', notes],
    ['safe', 'export', 'Notes', '--format', 'jsonl'],
    ['ask', 'Notes', 'Where does Ada live?'],
    ['connection', 'list'],
    ['migrate'],
  ]
  for (let round = 1; round <= ROUNDS; round++)
    for (const command of commands) {
      // Makes the log long again after each checkpoint, and leaves the tables as they were.
      db.exec('begin; create table filler (a); insert into filler values (randomblob(9000000)); commit')
      db.exec('drop table filler')
      t.ok(statSync(join(folder, 'svc.db-wal')).size > 8 * 1024 * 1024)
      const { ended } = await start(folder, command, '', {}, ['timeout', '-s', 'KILL', '100'])
      const { code, stderr } = await ended
      t.equal(code, 0, `${command.join(' ')}, round ${round}: ${stderr}`)
      t.notMatch(stderr, 'did not end')
    }
})
