import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { addressBlock, clientAddress } from '../../common/client-address.js'
import type { DomainError } from '../../common/domain-error.js'
import { Unavailable } from '../../common/unavailable.js'

type Refused = DomainError | Unavailable

/** What is known of a request before any work is done for it. */
interface Judgement {
  /** Whose request it is by the token it carries, known since an earlier one; then it has been counted. */
  connectionId: string | null
  refused: Refused | null
}

/** An answer as it travels, made before its request. */
export interface Answer {
  status: number
  /** Names and values in turn. */
  headers: string[]
  body: string
}

declare module 'node:http' {
  interface IncomingMessage {
    judgement?: Judgement
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Has refusals of requests that carry a token and go to `path`, or below it, sent without Fastify: two thirds of the work. */
    refuseAtTheDoor(path: string, answerTo: (refused: Refused) => Answer): void
  }
  interface FastifyContextConfig {
    /** Answered in overload, too: by these a process is judged from outside. */
    neverRefused?: true
  }
}

/** One for all: making an error takes longer than refusing. */
const OVERLOADED = new Unavailable('more requests than this process can answer')

/** Longer than any token; what is longer is not worth the memory. */
const LONGEST_TOKEN = 200

/** What follows "Bearer "; empty where there is no token. */
function tokenOf({ headers }: IncomingMessage): string {
  const token = headers.authorization?.slice('Bearer '.length) ?? ''
  return token.length < LONGEST_TOKEN ? token : ''
}

/**
 * Refuses, after the Host check and before any other work is done for it, what a connection may not make with 429 and
 * what this process cannot answer in time with 503 (docs/decisions/0019; RULES P11). Refusals leave at the end of the turn: answered at once, their senders would
 * ask again in the same turn, which goes on while 1024 sockets are ready (libuv's uv__io_poll), and until it ends no
 * timer fires and nothing is sent to Redis.
 */
export default fp(
  async function doorPlugin(app: FastifyInstance) {
    const { callLimits } = app
    const addressOf = clientAddress(app.config.trustProxy)

    /**
     * A connection is a sender once a token of it was checked, and an account is by a browser that has signed in before.
     * Anything else proves nothing, and whoever floods could make up another for each request, so the address is the sender.
     */
    function judge(raw: IncomingMessage): Judgement {
      const connectionId = callLimits.connectionOf(tokenOf(raw))
      const tooMany = connectionId === null ? null : callLimits.take(connectionId)
      if (tooMany) return { connectionId, refused: tooMany }
      const proven = connectionId ?? app.knownAccountOf(raw)
      const isAdmitted = app.admits(proven ?? addressBlock(addressOf(raw)), proven !== null)
      return { connectionId, refused: isAdmitted ? null : OVERLOADED }
    }

    app.addHook('onRequest', (request, reply, done) => {
      const { raw } = request
      raw.judgement ??= judge(raw)
      const { refused } = raw.judgement
      if (!refused) return done()
      const { crossOrigin, neverRefused } = request.routeOptions.config
      if (neverRefused && refused === OVERLOADED) return done()
      if (crossOrigin) reply.headers(crossOrigin)
      // A line for each would be more work than the answer.
      request.log.level = 'silent'
      setImmediate(done, refused)
    })

    app.decorate('refuseAtTheDoor', (path: string, answerTo: (refused: Refused) => Answer) => {
      const answers = new Map<Refused, Answer>()
      const leaving: [ServerResponse, Answer][] = []
      const [further] = app.server.listeners('request') as [RequestListener]
      app.server.removeAllListeners('request').on('request', (raw, response) => {
        // One that stops has more to say (plugins/shutdown.ts).
        if (app.stopping || !raw.url?.startsWith(path) || !tokenOf(raw)) return further(raw, response)
        if (app.hostProblem(raw)) return further(raw, response)
        raw.judgement = judge(raw)
        const { refused } = raw.judgement
        if (!refused) return further(raw, response)
        const answer = answers.get(refused) ?? answerTo(refused)
        answers.set(refused, answer)
        if (leaving.push([response, answer]) === 1) setImmediate(sendAway)
      })

      function sendAway() {
        for (const [response, { status, headers, body }] of leaving.splice(0))
          response.writeHead(status, headers).end(body)
      }
    })
  },
  { name: 'door', dependencies: ['call-limits', 'errors', 'host', 'pressure', 'session', 'stop'] },
)
