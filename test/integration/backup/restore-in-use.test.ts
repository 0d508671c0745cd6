import { join } from 'node:path'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { databaseLocation, dataDir } from '../../helper.js'
import { runHere } from '../cli/svc.js'
import { installation, overs } from './installation.js'

t.test('a restore is refused while a server or another command uses the database', async t => {
  // In parallel: over Postgres, each gives the others two seconds to leave.
  await Promise.all(overs.flatMap(over => [besideServer(t, over), besideCommand(t, over)]))
})

async function besideServer(t: Test, over: (typeof overs)[number]) {
  const { folder, command } = await installation(t, over)
  const backup = join(folder, 'today.db')
  t.equal((await command('backup', backup)).code, 0)
  t.match(await command('restore', backup, '--yes'), {
    code: 1,
    stderr: /A server is running|other connection/,
  })
}

async function besideCommand(t: Test, over: (typeof overs)[number]) {
  const at = await databaseLocation(t, over)
  const env = at.databaseUrl ? { DATABASE_URL: at.databaseUrl } : {}
  const command = (...args: string[]) => runHere(at.dataDir, args, '', env)
  const backup = join(dataDir(t), 'today.db')
  t.equal((await command('backup', backup)).code, 0)
  t.match(await command('restore', backup, '--yes'), { code: 0 }, 'alone')
  const other = await openDatabase({ ...at, role: 'cli' })
  await sql`select 1`.execute(other.read)
  t.match(await command('restore', backup, '--yes'), {
    code: 1,
    stderr: /Another svc command uses|other connection/,
  })
  await other.close()
}
