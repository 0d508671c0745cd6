import { PassThrough } from 'node:stream'
import t from 'tap'
import { build } from '../../helper.js'
import { PASSWORD } from '../../integration/pages/browser.js'
import { people } from '../../integration/safes/open.js'
import { PostgresServer } from '../../postgres-server.js'
import { until } from '../../until.js'

t.test('an import interrupted by an outage of Postgres has failed afterwards', async t => {
  const server = await PostgresServer.start()
  t.teardown(() => server.remove())
  const app = await build(t, { setUp: 'postgres', env: { DATABASE_URL: server.url() } })
  const ann = (await app.accounts.add('ann@example.org', PASSWORD)).id
  const { id } = await app.safes.create(ann, 'Safe')
  const bytes = new PassThrough()
  // The first 10,000 things are written together.
  bytes.write(`${people(15_000)}\n`)
  const begun = await app.safes.imports.start(ann, id, { source: 'p.nt', bytes, commit: false })
  const rows = () => app.database.read.selectFrom('entities').select('key').execute()
  await until(async () => (await rows()).length > 0)
  await server.stop('SIGQUIT')
  bytes.end(people(30_000))
  await until(async () => (await app.inject('/readyz')).statusCode === 503)
  await server.resume()
  await until(async () => (await app.inject('/readyz')).statusCode === 200)
  const status = async () => (await app.safes.imports.find(ann, id, begun.id))?.status
  await until(async () => (await status()) !== 'staging')
  t.match(await app.safes.imports.find(ann, id, begun.id), { status: 'failed', problem: /interrupted/ })
  await app.safes.idle()
  t.strictSame(await rows(), [])
})
