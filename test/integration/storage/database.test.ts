import t from 'tap'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { dataDir } from '../../data-dir.js'

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
