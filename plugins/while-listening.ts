import type { FastifyInstance } from 'fastify'

/**
 * Runs `work` every `ms` milliseconds while the service listens: not in the command line, nor in tests. `work` reports its
 * own failures. With `atOnce`, also when the service begins to listen.
 */
export function whileListening(
  app: FastifyInstance,
  ms: number,
  work: () => void | Promise<void>,
  { atOnce = false } = {},
): void {
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', async () => {
    if (atOnce) void work()
    timer = setInterval(work, ms).unref()
  })
  app.addHook('onClose', async () => clearInterval(timer))
}
