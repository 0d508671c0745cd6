import t from 'tap'
import { Unavailable } from '../../../platform/common/unavailable.js'
import { CurrentServer } from '../../../platform/storage/postgres/current-server.js'
import { isPostgresUnavailable, postgresPool } from '../../../platform/storage/postgres/postgres-pool.js'
import { postgresUrl } from '../../helper.js'

t.test('connection errors say that Postgres is unavailable, errors in our statements do not', async t => {
  const pool = postgresPool({ server: new CurrentServer(await postgresUrl(t)), max: 1, queryMs: 1000 })
  t.teardown(() => pool.end())
  const client = await pool.connect()
  const circular: Record<string, unknown> = {}
  circular.self = circular
  const failure = await client.query('select $1::text', [circular]).catch((error: unknown) => error)
  t.ok(failure instanceof TypeError, String(failure))
  t.notOk(failure instanceof Unavailable)
  const { rows } = await client.query<{ one: number }>('select 1 as one', [])
  t.match(rows, [{ one: 1 }], 'and its connection goes on')
  client.release()

  const server = new CurrentServer('postgres://nobody@127.0.0.1:1/none')
  const unreachable = postgresPool({ server, max: 1, queryMs: 1000 })
  await t.rejects(unreachable.connect(), /Postgres is unavailable/)

  for (const mistake of [
    new TypeError('x is not a function'),
    new RangeError('x'),
    new Error('else'),
    'text',
  ])
    t.equal(isPostgresUnavailable(mistake), false, String(mistake))
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const unavailable = [
    refused,
    new AggregateError([refused]),
    new Error('Connection terminated unexpectedly'),
  ]
  for (const error of unavailable) t.equal(isPostgresUnavailable(error), true, error.message)
})
