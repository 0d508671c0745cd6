import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type Authorization, createAuthorization } from '../domain/oauth/authorize/authorization.js'
import { requestSeal } from '../domain/oauth/authorize/sealed-request.js'
import { createClientDocuments } from '../domain/oauth/clients/client-documents.js'
import { type Clients, createClients, UNUSED_CLIENTS } from '../domain/oauth/clients/clients.js'
import type { FetchDocument } from '../domain/oauth/clients/document-fetch.js'
import { readKnownClients } from '../domain/oauth/clients/known-clients.js'
import type { Connections, McpSessions } from '../domain/oauth/connections/access.js'
import { revocationReasons } from '../domain/oauth/connections/connection.js'
import { createConnections } from '../domain/oauth/connections/connections.js'
import { KEEP_ENDED_DAYS, markExpiredConnections } from '../domain/oauth/connections/expire.js'
import { createIssueTokens, type IssueTokens } from '../domain/oauth/connections/issue-tokens.js'
import { createMcpSessions } from '../domain/oauth/connections/mcp-session.js'
import { Usage } from '../domain/oauth/connections/usage.js'
import { redisAuthorizationRequestStore } from '../domain/oauth/stores/authorization-request.redis.js'
import { sqlAuthorizationRequestStore } from '../domain/oauth/stores/authorization-request.sql.js'
import { ClientStore } from '../domain/oauth/stores/client.sql.js'
import { CALL_DAYS, ConnectionStore } from '../domain/oauth/stores/connection.sql.js'
import { RedisGrantStore } from '../domain/oauth/stores/grant.redis.js'
import { SqlGrantStore } from '../domain/oauth/stores/grant.sql.js'
import { sweepCallDays, sweepEndedConnections, sweepExpired } from '../domain/oauth/stores/sweep-expired.js'
import { TokenAnswers } from '../domain/oauth/token/answers.js'
import { type Authenticate, createAuthenticate } from '../domain/oauth/token/authentication.js'
import { createExchange, type Exchange } from '../domain/oauth/token/exchange.js'
import { authorizationCodeGrant } from '../domain/oauth/token/grants/authorization-code.js'
import { refreshTokenGrant } from '../domain/oauth/token/grants/refresh-token.js'
import { createRevoke, type Revoke } from '../domain/oauth/token/revocation.js'
import { tokenFormat } from '../domain/oauth/token/token.js'
import type { Clock } from '../platform/common/clock.js'
import { DAY_MS, MINUTE_MS } from '../platform/common/durations.js'
import { random } from '../platform/common/secrets.js'
import { inSlices } from '../platform/storage/slices.js'
import { whileListening } from './while-listening.js'

/** The OAuth domain, for routes, MCP and the command line. */
export interface OAuth {
  authenticate: Authenticate
  /** Whether an access token that is not valid belongs to a connection that has ended. */
  hasEnded(token: string): Promise<boolean>
  sessions: McpSessions
  connections: Connections
  issueTokens: IssueTokens
  clients: Clients
  authorization: Authorization
  exchange: Exchange
  revoke: Revoke
  /** Counts a call of a connection. Counts are written every few seconds. */
  touch(connectionId: string): void
}

/** Counts on the connections page may be this old. */
const FLUSH_MS = 5000
const SWEEP_MS = 10 * MINUTE_MS

declare module 'fastify' {
  interface FastifyInstance {
    oauth: OAuth
  }
}

export interface OAuthOptions {
  clock: Clock
  fetchDocument: FetchDocument
}

export default fp(
  async function oauthPlugin(app: FastifyInstance, { clock, fetchDocument }: OAuthOptions) {
    const { brand, baseUrl, knownRedirectUris, refreshReuseGraceSeconds, callsPerSecond } = app.config
    const stores = { ...openStores(app, clock), record: app.activity.record }
    const { clientStore, connections, grants } = stores
    const format = tokenFormat(brand, app.keyFor, random)
    const clients = clientsOf(app, clientStore, clock, fetchDocument)
    const mayRead = async (accountId: string, safeIds: readonly string[]) =>
      (await app.safes.readableAmong(accountId, safeIds)).length === safeIds.length
    const userConnections = createConnections(stores, mayRead, clock)
    const dependencies = {
      ...stores,
      earlier: userConnections.earlier,
      requestSeal: requestSeal(app.keyFor('authorization-request'), random),
      clients,
      format,
      clock,
      random,
      baseUrl,
      knownRedirectUris,
      mayRead,
    }
    const redeeming = { ...dependencies, answers: new TokenAnswers(grants, 0, clock) }
    const refreshing = {
      ...dependencies,
      answers: new TokenAnswers(grants, refreshReuseGraceSeconds, clock),
      limited: callsPerSecond > 0,
    }
    const usage = new Usage(connections, clock)

    app.decorate('oauth', {
      authenticate: createAuthenticate(grants, format, clock),
      hasEnded: async token => {
        const presented = format.readAccessToken(token)
        const connection = presented && (await connections.find(presented.connectionId))
        return connection?.revokedAt != null
      },
      sessions: createMcpSessions(grants, clock, random),
      connections: userConnections,
      issueTokens: createIssueTokens(stores, format, clock, random),
      clients,
      authorization: createAuthorization(dependencies),
      exchange: createExchange(
        clients,
        new Map([
          ['authorization_code', authorizationCodeGrant(redeeming)],
          ['refresh_token', refreshTokenGrant(refreshing)],
        ]),
      ),
      revoke: createRevoke(dependencies),
      touch: connectionId => usage.touch(connectionId),
    })

    app.accounts.onClaim(accountId => app.oauth.connections.revokeAll(accountId, revocationReasons.claimed))
    app.accounts.beforeRemoval(async accountId => {
      await app.oauth.connections.revokeAll(accountId)
      await inSlices(() => connections.forgetSome(accountId))
    })
    const sweep = sweepOf(app, stores, clock)
    whileListening(app, SWEEP_MS, () => sweep().catch(err => app.log.warn({ err }, 'sweep failed')))
    flushOften(app, usage)
    app.addHook('onClose', async () => {
      await Promise.all([redeeming.answers.close(), refreshing.answers.close()])
    })
  },
  { name: 'oauth', dependencies: ['activity', 'accounts', 'safes', 'redis', 'service-key'] },
)

/** Durable state is always in SQL; ephemeral state is in Redis if configured. */
function openStores({ database, redis }: FastifyInstance, clock: Clock) {
  return {
    clientStore: new ClientStore(database),
    connections: new ConnectionStore(database),
    grants: redis ? new RedisGrantStore(redis) : new SqlGrantStore(database),
    requests: redis ? redisAuthorizationRequestStore(redis, clock) : sqlAuthorizationRequestStore(database),
  }
}

function clientsOf(
  app: FastifyInstance,
  store: ClientStore,
  clock: Clock,
  fetchDocument: FetchDocument,
): Clients {
  const { brand, knownRedirectUris } = app.config
  const documents = createClientDocuments({
    pinned: readKnownClients(clock()),
    fetchDocument,
    approved: id => store.find(id),
    clock,
    onFailure: (client, { message: reason }) => app.log.info({ client, reason }, 'client document not used'),
  })
  return createClients(
    store,
    documents,
    { brand, key: app.keyFor('client-id'), knownRedirectUris },
    clock,
    random,
  )
}

type SweptStores = ReturnType<typeof openStores> & Parameters<typeof markExpiredConnections>[0]

/** Deletes what has expired or is no longer used; once a day, marks connections that have expired as ended. */
function sweepOf({ database }: FastifyInstance, stores: SweptStores, clock: Clock): () => Promise<void> {
  const { clientStore } = stores
  let endedExpiredAt = 0
  return async () => {
    const now = clock()
    await clientStore.removeUnused(now - 7 * DAY_MS)
    await inSlices(() => clientStore.removeOldestUnused(UNUSED_CLIENTS))
    await sweepExpired(database, now)
    await sweepEndedConnections(database, now - KEEP_ENDED_DAYS * DAY_MS)
    await sweepCallDays(database, now - CALL_DAYS * DAY_MS)
    if (now - endedExpiredAt < DAY_MS) return
    endedExpiredAt = now
    await markExpiredConnections(stores, now)
  }
}

function flushOften(app: FastifyInstance, usage: Usage) {
  const flush = () => usage.flush().catch(err => app.log.warn({ err }, 'failed to write call counts'))
  const timer = setInterval(flush, FLUSH_MS)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await flush()
  })
}
