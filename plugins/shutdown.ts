import { once } from 'node:events'
import { Server } from 'node:net'
import { setImmediate as turnEnd } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** Milliseconds after which questions waiting for an index, and downloads, are aborted. */
const ABORT_AFTER_MS = 6000
/** Milliseconds after which all connections are closed. */
const CLOSE_AFTER_MS = 8000
/** Maximum turns to wait: under full load none is quiet. */
const MAX_TURNS = 1000

export interface ShutdownOptions {
  /**
   * How long clients are asked to leave: first while connections are accepted, then, called again, while open
   * ones are answered.
   */
  grace: () => Promise<unknown>
}

/**
 * Shuts down without failing a request. During the grace period Fastify adds `Connection: close` to each
 * response, so that busy clients disconnect, and `/readyz` returns 503, so that load balancers send no more
 * requests. Then the listening socket closes, and open connections are answered for as long again: a connection that
 * was accepted a moment ago looks idle until its first request has arrived. Then idle connections close, and requests
 * in flight are completed.
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
      if ((await connectionCount(app)) === 0) return
      await grace()
      await quietTurn(app.server)
      const left = once(app.server, 'close')
      // The method of an HTTP server would also close idle connections.
      Server.prototype.close.call(app.server)
      await Promise.race([left, grace()])
    })
    app.addHook('onClose', async () => timers.forEach(clearTimeout))
  },
  { name: 'shutdown', dependencies: ['safes'] },
)

/** Waits for a turn of the event loop without new connections: those already accepted by the system would be reset by closing. */
async function quietTurn(server: Server): Promise<void> {
  let accepted = 0
  const count = () => accepted++
  server.on('connection', count)
  for (let turn = 0, before = -1; turn < MAX_TURNS && before !== accepted; turn++) {
    before = accepted
    await turnEnd()
  }
  server.off('connection', count)
}

function connectionCount({ server }: FastifyInstance): Promise<number> {
  return new Promise(resolve => server.getConnections((_error, count) => resolve(count)))
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the service is shutting down. */
    stopping: boolean
  }
}
