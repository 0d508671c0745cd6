import { MessageChannel } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from '../platform/common/clock.js'
import { FairShare } from '../platform/limits/fair-share.js'
import { OverloadDetector, TICK_MS } from '../platform/limits/overload-detector.js'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Whether to reject a request that is read now. Call it once per request, because it counts the request.
     * `isVerified`: the sender's identity has been verified, so no one else can use it.
     */
    shouldShed(sender: string, isVerified: boolean): boolean
  }
}

interface OverloadDetectorOptions {
  /** The time in milliseconds. */
  now: Clock
}

export default fp(
  async function overloadDetectorPlugin(app: FastifyInstance, { now }: OverloadDetectorOptions) {
    // A message port wakes the event loop through a file descriptor, so the probe queues behind the sockets.
    const { port1, port2 } = new MessageChannel()
    const detector = new OverloadDetector(() => port1.postMessage(null))
    const fairShare = new FairShare()
    let rejected = 0
    port2.on('message', () => {
      detector.probeReturned(now())
      if (rejected === 0 || detector.isOverloaded) return
      app.log.warn({ rejected }, 'overload ended')
      rejected = 0
    })
    port2.unref()
    let ticker: NodeJS.Timeout | undefined
    // An idle service wakes up for nothing.
    const tick = () => {
      if (!detector.tick(now())) ticker = void clearInterval(ticker)
    }
    app.addHook('onClose', async () => {
      clearInterval(ticker)
      port1.close()
    })

    app.decorate('shouldShed', (sender: string, isVerified: boolean) => {
      // Injected requests bypass the sockets, and thus the queue that probes measure.
      if (!app.server.listening) return false
      const readAt = now()
      ticker ??= setInterval(tick, TICK_MS).unref()
      if (!detector.shouldShed(readAt, fairShare.record(sender, readAt), isVerified)) return false
      if (rejected++ === 0) app.log.warn('overload: requests are being rejected')
      return true
    })
  },
  { name: 'overload-detector' },
)
