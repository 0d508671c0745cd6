import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Database } from '../platform/storage/database.js'
import { openDatabase } from '../platform/storage/open-database.js'

declare module 'fastify' {
  interface FastifyInstance {
    database: Database
  }
}

export default fp(
  async function databasePlugin(app: FastifyInstance, options: { role: 'server' | 'cli' }) {
    const { dataDir, databaseUrl } = app.config
    const onUpdate = () =>
      process.stderr.write('Updating the database, after a backup of it. This may take minutes.\n')
    const database = await openDatabase({ dataDir, databaseUrl, role: options.role, onUpdate })
    app.decorate('database', database)
    app.addHook('onClose', () => database.close())
  },
  { name: 'database', dependencies: ['config'] },
)
