import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Renderer } from '../domain/safes/rendering/renderer.js'

declare module 'fastify' {
  interface FastifyInstance {
    renderer: Renderer
  }
}

/** Renders the documents that pages show; its process ends with the service. */
export default fp(
  async function rendererPlugin(app: FastifyInstance) {
    app.decorate('renderer', new Renderer())
    app.addHook('onClose', () => app.renderer.close())
  },
  { name: 'renderer' },
)
