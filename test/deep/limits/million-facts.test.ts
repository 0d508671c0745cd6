import { join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { build, dataDir, postgresUrl } from '../../helper.js'
import { runHere } from '../../integration/cli/svc.js'
import { addLighthouse } from '../../lighthouse.js'

const FACTS = 1_000_000

t.test('a million facts go from the embedded database to Postgres and back, whole (DESIGN §4)', async t => {
  const folder = dataDir(t)
  const app = await build(t, { setUp: 'embedded', env: { DATA_DIR: folder } })
  const { id: ann } = await app.accounts.add('ann@example.org', 'a password of length')
  const { id: safe } = await addLighthouse(app, ann)
  await app.database.write(trx =>
    sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(FACTS)})
      insert into relations (safe_id, import_id, id, subject_key, predicate, object_key)
      select ${safe}, 1, 1000 + i, 'sensor ' || i, 'part of', 'boiler ' || (i % 1000) from n`.execute(trx),
  )
  await app.close()

  const run = (args: string[], dataFolder: string, env: Record<string, string> = {}) =>
    runHere(dataFolder, args, '', env)
  const backup = join(folder, 'backup.db')
  const made = await run(['backup', backup], folder)
  t.match(made, { code: 0, stdout: /^relations\t1000\d{3}\t/m })

  const postgres = { DATABASE_URL: await postgresUrl(t) }
  const there = dataDir(t)
  t.match(await run(['restore', backup, '--yes', '--keep-sign-ins'], there, postgres), {
    code: 0,
    stdout: made.stdout,
  })
  const back = join(there, 'back.db')
  t.match(await run(['backup', back], there, postgres), { code: 0, stdout: made.stdout })
  const home = dataDir(t)
  t.match(await run(['restore', back, '--yes', '--keep-sign-ins'], home), { code: 0, stdout: made.stdout })
  t.match(await run(['move', '--to', await postgresUrl(t)], home), { code: 0, stdout: made.stdout })
})
