import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

/** A body has arrived by then, unless it is an upload. */
export const BODY_MS = 15_000

export interface BodyDeadlineOptions {
  bodyMs?: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Lets the body of a request take as long as any request may. For uploads of people who may upload. */
    allowSlowBody(request: FastifyRequest): void
  }
}

/**
 * Ends requests whose bodies do not arrive, also those that were answered before: what is left of their bodies still
 * holds a connection. Node's own `requestTimeout` is for all requests alike, so it is as long as an upload may take.
 */
export default fp(
  async function bodyDeadlinePlugin(app: FastifyInstance, { bodyMs = BODY_MS }: BodyDeadlineOptions) {
    const receiving = new Map<IncomingMessage, { response: ServerResponse; since: number }>()
    let arrived: [IncomingMessage, ServerResponse][] = []

    // After all who listen are there: `plugins/load-shedding/load-shedding.ts` replaces the listener.
    app.addHook('onReady', async () => {
      app.server.on('request', (raw, response) => {
        const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
        if ((length === undefined || length === '0') && encoding === undefined) return
        if (arrived.push([raw, response]) === 1) setImmediate(keepIncomplete)
      })
    })

    /** Most bodies come with their headers, so that at the end of the turn they are there. */
    function keepIncomplete() {
      const since = performance.now()
      for (const [raw, response] of arrived) if (!raw.complete) receiving.set(raw, { response, since })
      arrived = []
    }

    const checking = setInterval(() => {
      const now = performance.now()
      for (const [raw, { response, since }] of receiving) {
        if (raw.complete || raw.socket.destroyed) receiving.delete(raw)
        else if (now - since > bodyMs) {
          receiving.delete(raw)
          end(raw, response)
        }
      }
    }, bodyMs / 15).unref()
    app.addHook('onClose', async () => clearInterval(checking))

    function end(raw: IncomingMessage, response: ServerResponse) {
      if (response.headersSent) raw.socket.destroy()
      // What Node does when its own time is over: 408 (RFC 9110 §15.5.9).
      else app.server.emit('clientError', timeout(), raw.socket)
    }

    app.decorate('allowSlowBody', ({ raw }: FastifyRequest) => {
      receiving.delete(raw)
      arrived = arrived.filter(([waiting]) => waiting !== raw)
    })
  },
  { name: 'body-deadline', dependencies: ['load-shedding'] },
)

const timeout = () =>
  Object.assign(new Error('the body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
