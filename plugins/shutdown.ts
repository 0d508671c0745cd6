import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** Milliseconds after which questions waiting for an index, and downloads, are aborted. */
const ABORT_AFTER_MS = 6000
/** Milliseconds after which all connections are closed. */
const CLOSE_AFTER_MS = 8000

export interface ShutdownOptions {
  /** The grace period: connections are accepted until it resolves, while clients are told to leave. */
  grace: () => Promise<unknown>
}

/**
 * Shuts down without failing a request. During the grace period Fastify adds `Connection: close` to each
 * response, so that busy clients disconnect, and `/readyz` returns 503, so that load balancers send no more
 * requests. Then the listening socket and idle connections close, and requests in flight are completed.
 */
export default fp(
  async function shutdownPlugin(app: FastifyInstance, { grace }: ShutdownOptions) {
    app.decorate('stopping', false)
    const timers: NodeJS.Timeout[] = []
    app.addHook('preClose', async () => {
      app.stopping = true
      if (!app.server.listening) return
      timers.push(setTimeout(() => void app.safes.close(), ABORT_AFTER_MS).unref())
      timers.push(setTimeout(() => app.server.closeAllConnections(), CLOSE_AFTER_MS).unref())
      if ((await connectionCount(app)) > 0) await grace()
    })
    app.addHook('onClose', async () => timers.forEach(clearTimeout))
  },
  { name: 'shutdown', dependencies: ['safes'] },
)

function connectionCount({ server }: FastifyInstance): Promise<number> {
  return new Promise(resolve => server.getConnections((_error, count) => resolve(count)))
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the service is shutting down. */
    stopping: boolean
  }
}
