import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from '../clock.js'
import { random } from '../secret.js'
import type { Connections, McpSessions } from './access.js'
import { type Authenticate, createAuthenticate } from './authentication.js'
import { sqlClientStore } from './client-sql-store.js'
import { createConnections, createIssueTokens, type IssueTokens } from './connection.js'
import { sqlConnectionStore } from './connection-sql-store.js'
import { removeExpired } from './expiry-sql-store.js'
import { redisGrantStore } from './grant-redis-store.js'
import { sqlGrantStore } from './grant-sql-store.js'
import { DAY_MS, MINUTE_MS } from './lifetime.js'
import { createMcpSessions } from './mcp-sessions.js'
import { tokenFormat } from './token.js'
import { Usage } from './usage.js'

/** The OAuth domain, as routes, MCP and the command line use it. */
export interface OAuth {
  authenticate: Authenticate
  sessions: McpSessions
  connections: Connections
  issueTokens: IssueTokens
  /** Counts one call of a connection; written every few seconds. */
  touch(connectionId: string): void
}

/** How old the counts on a user's page of connections may be. */
const FLUSH_MS = 5000

declare module 'fastify' {
  interface FastifyInstance {
    oauth: OAuth
  }
}

export default fp(
  async function oauthPlugin(app: FastifyInstance, { clock }: { clock: Clock }) {
    const clients = sqlClientStore(app.database)
    const connections = sqlConnectionStore(app.database)
    const grants = app.redis ? redisGrantStore(app.redis) : sqlGrantStore(app.database)
    const format = tokenFormat(app.config.brand, app.keyFor, random)

    const usage = new Usage(connections, clock)

    app.decorate('oauth', {
      authenticate: createAuthenticate(grants, format, clock),
      sessions: createMcpSessions(grants, clock, random),
      connections: createConnections({ connections, grants }, clock),
      issueTokens: createIssueTokens({ connections, grants }, format, clock, random),
      touch: connectionId => usage.touch(connectionId),
    })

    const sweep = async () => {
      await clients.removeUnused(clock() - 7 * DAY_MS)
      await removeExpired(app.database, clock())
    }
    everyTenMinutes(app, sweep)
    flushOften(app, usage)
  },
  { name: 'oauth', dependencies: ['database', 'redis', 'service-key'] },
)

/** Only where the service listens: the command line and tests leave the tables as they are. */
function everyTenMinutes(app: FastifyInstance, work: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', async () => {
    timer = setInterval(() => work().catch(err => app.log.warn({ err }, 'sweep failed')), 10 * MINUTE_MS)
    timer.unref()
  })
  app.addHook('onClose', async () => clearInterval(timer))
}

function flushOften(app: FastifyInstance, usage: Usage) {
  const flush = () =>
    usage.flush().catch(err => app.log.warn({ err }, 'counts of calls could not be written'))
  const timer = setInterval(flush, FLUSH_MS)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await flush()
  })
}
