import t from 'tap'
import { sweepExpired } from '../../../domain/oauth/stores/sweep-expired.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { databaseLocation } from '../../helper.js'

for (const over of ['sqlite', 'postgres'] as const) {
  t.test(`what has expired is cleared in slices, and nothing else: ${over}`, async t => {
    const database = await openDatabase({ ...(await databaseLocation(t, over)), role: 'server' })
    t.teardown(() => database.close())
    const throttles = Array.from({ length: 1300 }, (_, i) => ({ key: `k${i}`, count: 1, expires_at: i }))
    const tokens = Array.from({ length: 700 }, (_, i) => ({
      connection_id: `c${i % 7}`,
      token_hash: `h${i}`,
      scope: '',
      expires_at: i,
    }))
    await database.write(async trx => {
      for (let i = 0; i < 1300; i += 100)
        await trx
          .insertInto('throttles')
          .values(throttles.slice(i, i + 100))
          .execute()
      for (let i = 0; i < 700; i += 100)
        await trx
          .insertInto('access_tokens')
          .values(tokens.slice(i, i + 100))
          .execute()
    })
    let writes = 0
    const watched = {
      ...database,
      write: ((work, over) => {
        writes++
        return database.write(work, over)
      }) as typeof database.write,
    }
    await sweepExpired(watched, 1199)
    const left = await database.read.selectFrom('throttles').select('key').execute()
    t.equal(left.length, 100)
    t.ok(writes >= 10, `${writes} writes, so that others come in between`)
    t.equal((await database.read.selectFrom('access_tokens').selectAll().execute()).length, 0)
  })
}
