import { join } from 'node:path'
import view from '@fastify/view'
import { Eta } from 'eta'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { rootDir } from './config.js'

/** Eta pages from `views/`; Eta escapes whatever a page prints. */
export default fp(
  async function viewsPlugin(app: FastifyInstance) {
    await app.register(view, { engine: { eta: new Eta({ views: join(rootDir, 'views') }) } })
  },
  { name: 'views', dependencies: ['config'] },
)
