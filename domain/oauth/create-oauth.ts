import type { Clock } from '../../platform/common/clock.js'
import { DAY_MS } from '../../platform/common/durations.js'
import { type KeyFor, random } from '../../platform/common/secrets.js'
import type { Database } from '../../platform/storage/database.js'
import type { RedisClient } from '../../platform/storage/redis/client.js'
import { inSlices } from '../../platform/storage/slices.js'
import { createAuthorization } from './authorize/authorization.js'
import { requestSeal } from './authorize/authorization-request.js'
import { readKnownClients } from './clients/client-document.js'
import { ClientDocuments, type ClientDocumentsOptions } from './clients/client-documents.js'
import { createClients, UNUSED_CLIENTS } from './clients/clients.js'
import type { MayRead } from './connections/choice.js'
import type { Stores } from './connections/connection.js'
import { createConnections } from './connections/connections.js'
import { KEEP_ENDED_DAYS, markExpiredConnections } from './connections/expire.js'
import { createIssueTokens } from './connections/issue-tokens.js'
import { createMcpSessions } from './connections/mcp-session.js'
import { Usage } from './connections/usage.js'
import { redisAuthorizationRequestStore } from './stores/authorization-request.redis.js'
import { sqlAuthorizationRequestStore } from './stores/authorization-request.sql.js'
import { ClientStore } from './stores/client.sql.js'
import { CALL_DAYS, ConnectionStore } from './stores/connection.sql.js'
import { RedisGrantStore } from './stores/grant.redis.js'
import { SqlGrantStore } from './stores/grant.sql.js'
import { sweepCallDays, sweepEndedConnections, sweepExpired } from './stores/sweep-expired.js'
import { TokenAnswers } from './token/answers.js'
import { createAuthenticate } from './token/authentication.js'
import { createExchange } from './token/exchange.js'
import { authorizationCodeGrant } from './token/grants/authorization-code.js'
import { refreshTokenGrant } from './token/grants/refresh-token.js'
import { createRevoke } from './token/revocation.js'
import { tokenFormat } from './token/token.js'

interface CreateOauthDependencies
  extends Pick<ClientDocumentsOptions, 'fetchDocument' | 'onFailure' | 'clock'> {
  /** Durable state is always in SQL; ephemeral state is in Redis if there is one. */
  database: Database
  redis: RedisClient | null
  record: Stores['record']
  keyFor: KeyFor
  mayRead: MayRead
  brand: string
  baseUrl: string
  knownRedirectUris: readonly string[]
  refreshReuseGraceSeconds: number
  /** 0: calls are not limited. */
  callsPerSecond: number
}

/** The authorization server, for routes, MCP and the command line. */
export type OAuth = ReturnType<typeof createOAuth>

/** Composes the authorization server from its parts. */
export function createOAuth(given: CreateOauthDependencies) {
  const { database, redis, record, keyFor, mayRead, clock, refreshReuseGraceSeconds, callsPerSecond } = given
  const { brand, baseUrl, knownRedirectUris } = given
  const clientStore = new ClientStore(database)
  const connections = new ConnectionStore(database)
  const grants = redis ? new RedisGrantStore(redis) : new SqlGrantStore(database)
  const requests = redis
    ? redisAuthorizationRequestStore(redis, clock)
    : sqlAuthorizationRequestStore(database)
  const stores = { clientStore, connections, grants, requests, record }
  const format = tokenFormat(brand, keyFor, random)
  const documents = new ClientDocuments({
    ...given,
    pinned: readKnownClients(clock()),
    approved: id => clientStore.find(id),
  })
  const registration = { brand, key: keyFor('client-id'), knownRedirectUris }
  const clients = createClients(clientStore, documents, registration, clock, random)
  const userConnections = createConnections(stores, mayRead, clock)
  const dependencies = {
    ...stores,
    earlier: userConnections.earlier,
    requestSeal: requestSeal(keyFor('authorization-request'), random),
    ...{ clients, format, clock, random, baseUrl, knownRedirectUris, mayRead },
  }
  const redeemed = new TokenAnswers(grants, 0, clock)
  const refreshed = new TokenAnswers(grants, refreshReuseGraceSeconds, clock)
  const limited = callsPerSecond > 0
  const handlers = new Map([
    ['authorization_code', authorizationCodeGrant({ ...dependencies, answers: redeemed })],
    ['refresh_token', refreshTokenGrant({ ...dependencies, answers: refreshed, limited })],
  ])
  const usage = new Usage(connections, clock)
  return {
    authenticate: createAuthenticate(grants, format, clock),
    /** Whether an invalid access token belongs to a connection that has ended. */
    hasEnded: async (token: string): Promise<boolean> => {
      const presented = format.readAccessToken(token)
      const connection = presented && (await connections.find(presented.connectionId))
      return connection?.revokedAt != null
    },
    sessions: createMcpSessions(grants, clock, random),
    connections: userConnections,
    issueTokens: createIssueTokens(stores, format, clock, random),
    clients,
    authorization: createAuthorization(dependencies),
    exchange: createExchange(clients, handlers),
    revoke: createRevoke(dependencies),
    usage,
    /** Removes the connections of an account that is being removed. */
    forget: async (accountId: string): Promise<void> => {
      await userConnections.revokeAll(accountId)
      await inSlices(() => connections.forgetSome(accountId))
    },
    /** Deletes what has expired or is no longer used; once a day, marks connections that have expired as ended. */
    sweep: sweepOf(database, stores, clock),
    close: () => Promise.all([redeemed.close(), refreshed.close()]),
  }
}

function sweepOf(database: Database, stores: Stores & { clientStore: ClientStore }, clock: Clock) {
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
