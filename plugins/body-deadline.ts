import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

/** Time limit for receiving a body, except for uploads. */
export const BODY_MS = 15_000

/** Checks of an unfinished body before its deadline. */
const CHECKS = 15

declare module 'fastify' {
  interface FastifyInstance {
    /** Exempts the body of a request from the deadline. For uploads, once the user is authorized. */
    allowSlowBody(request: FastifyRequest): void
  }
}

/**
 * Ends requests whose bodies do not arrive in time, including requests that were already answered, because an
 * unfinished body holds its connection. Node's `requestTimeout` applies to all requests and must therefore
 * allow for uploads.
 */
export default fp(
  async function bodyDeadlinePlugin(app: FastifyInstance) {
    const receiving = new Map<IncomingMessage, { response: ServerResponse; checks: number }>()
    let arrived: [IncomingMessage, ServerResponse][] = []

    // Once all listeners are in place: `plugins/load-shedding.ts` replaces Fastify's.
    app.addHook('onReady', async () => {
      app.server.on('request', (raw, response) => {
        const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
        if ((length === undefined || length === '0') && encoding === undefined) return
        if (arrived.push([raw, response]) === 1) setImmediate(keepIncomplete)
      })
    })

    /** Most bodies arrive with their headers and are complete at the end of the event loop's turn. */
    function keepIncomplete() {
      for (const [raw, response] of arrived) if (!raw.complete) receiving.set(raw, { response, checks: 0 })
      arrived = []
    }

    const checking = setInterval(() => {
      for (const [raw, waiting] of receiving) {
        if (raw.complete || raw.socket.destroyed) receiving.delete(raw)
        else if (++waiting.checks > CHECKS) {
          receiving.delete(raw)
          end(raw, waiting.response)
        }
      }
    }, BODY_MS / CHECKS).unref()
    app.addHook('onClose', async () => clearInterval(checking))

    function end(raw: IncomingMessage, response: ServerResponse) {
      if (response.headersSent) raw.socket.destroy()
      // As Node does after its own timeout: 408 (RFC 9110 §15.5.9).
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
