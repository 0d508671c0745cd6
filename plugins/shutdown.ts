import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** Then questions that still wait for an index, and downloads, are broken off. Milliseconds from the beginning. */
const BREAK_OFF_MS = 6000
/** Then whoever still sends or reads is cut off. */
const CUT_MS = 8000

export interface ShutdownOptions {
  /** How long clients are told to leave before nobody is let in any more. */
  graceMs: number
}

/**
 * Stops without a failed request. From its beginning on each answer says `Connection: close` (Fastify's doing), so that
 * clients that are busy leave by themselves, and `/readyz` says 503, so that a load balancer sends no more; then the
 * listening socket and idle connections close, and what is under way is finished.
 */
export default fp(
  async function shutdownPlugin(app: FastifyInstance, { graceMs }: ShutdownOptions) {
    app.decorate('stopping', false)
    const timers: NodeJS.Timeout[] = []
    app.addHook('preClose', async () => {
      app.stopping = true
      if (!app.server.listening) return
      timers.push(setTimeout(() => void app.safes.close(), BREAK_OFF_MS).unref())
      timers.push(setTimeout(() => app.server.closeAllConnections(), CUT_MS).unref())
      if ((await connections(app)) > 0) await pause(graceMs)
    })
    app.addHook('onClose', async () => timers.forEach(clearTimeout))
  },
  { name: 'shutdown', dependencies: ['safes'] },
)

function connections({ server }: FastifyInstance): Promise<number> {
  return new Promise(resolve => server.getConnections((_error, count) => resolve(count)))
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Set when the service begins to stop. */
    stopping: boolean
  }
}
