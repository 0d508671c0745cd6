import t from 'tap'
import { openDatabase } from '../../../storage/open-database.js'
import { build, dataDir } from '../../helper.js'

t.test('a second server on the same folder is rejected, the command line is not', async t => {
  const folder = dataDir(t)
  const server = await openDatabase({ dataDir: folder, role: 'server' })
  await t.rejects(openDatabase({ dataDir: folder, role: 'server' }), /Another server is already running/)
  const cli = await openDatabase({ dataDir: folder, role: 'cli' })
  await cli.close()
  await server.close()
  const next = await openDatabase({ dataDir: folder, role: 'server' })
  await next.close()
})

t.test('the service answers /healthz and /readyz', async t => {
  const app = await build(t)
  t.equal((await app.inject('/healthz')).statusCode, 200)
  t.equal((await app.inject('/readyz')).statusCode, 200)
})
