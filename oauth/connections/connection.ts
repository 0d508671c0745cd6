import type { RecordActivity } from '../../activity/entry.js'
import type { Clock } from '../../common/clock.js'
import { DomainError, notFound } from '../../common/domain-error.js'
import { findInPages, textMatcher } from '../../common/search.js'
import { newId, type Random } from '../../common/secrets.js'
import { messages } from '../../messages.js'
import { inSlices } from '../../storage/slices.js'
import { CODE_MINUTES, DAY_MS, expiries, MINUTE_MS, REFRESH_TOKEN_DAYS } from '../lifetime.js'
import type { ConnectionStore } from '../stores/connection.sql.js'
import { CONNECTION_BATCH_SIZE, type GrantStore } from '../stores/types.js'
import type { TokenFormat } from '../token/token.js'
import {
  type Connection,
  type ConnectionPage,
  type Connections,
  type Grant,
  type ListedConnection,
  mayPropose,
} from './access.js'
import { badChoice, chosenSafes, isLimit, type MayRead } from './choice.js'
import { lowered } from './lower.js'
import { withPowers } from './powers.js'

/** How a connection appears in the user's list. */
export type ConnectionDisplay = Pick<Connection, 'clientName' | 'clientVerified' | 'redirectHost'>

/** Why a connection ended, as sentences for the user. They are stored with the connection. */
export const { revocationReasons } = messages.connections

interface Stores {
  connections: ConnectionStore
  grants: GrantStore
  record: RecordActivity
}

/**
 * Inserts the durable row of a new connection, then calls `begin` to store its code or token. In this order,
 * no connection can work without being visible to its user.
 * @returns the result of `begin`
 */
export async function beginConnection<T>(
  { connections, grants, record }: Stores,
  grant: Grant,
  display: ConnectionDisplay,
  now: number,
  random: Random,
  begin: (connectionId: string) => Promise<T>,
): Promise<T> {
  const id = newId(random)
  await connections.add({
    ...grant,
    ...display,
    id,
    createdAt: now,
    lastUsedAt: null,
    calls: 0,
    revokedAt: null,
    revokedReason: null,
    keepsQuestions: true,
  })
  const result = await begin(id)
  // The user may have revoked all connections after the row was inserted but before there was a grant to
  // revoke.
  if ((await connections.find(id))?.revokedAt !== null) await grants.revoke(id)
  const { accountId } = grant
  record({ kind: 'connected', accountId, connectionId: id, detail: display.redirectHost || null })
  return result
}

/**
 * Revokes a connection, then records why. In this order, a connection that is shown as ended has ended. The
 * second revocation covers a connection that was being created meanwhile (`beginConnection`).
 */
export async function endConnection(
  stores: Stores,
  connectionId: string,
  at: number,
  reason: string,
): Promise<void> {
  await stores.grants.revoke(connectionId)
  await markRevoked(stores, [connectionId], at, reason)
  await stores.grants.revoke(connectionId)
}

/** Like `endConnection`, for several connections. */
async function endConnections(
  stores: Stores,
  ids: readonly string[],
  at: number,
  reason: string,
): Promise<void> {
  if (ids.length === 0) return
  await stores.grants.revokeAll(ids)
  await markRevoked(stores, ids, at, reason)
  await stores.grants.revokeAll(ids)
}

/** Records that and why connections ended, in their rows and in the activity of their users. */
export async function markRevoked(
  { connections, record }: Pick<Stores, 'connections' | 'record'>,
  ids: readonly string[],
  at: number,
  reason: string,
): Promise<void> {
  const kind = reason === revocationReasons.refreshReused ? 'refresh-reused' : 'ended'
  for (const { id, accountId } of await connections.markRevoked(ids, at, reason)) {
    record({ kind, accountId, connectionId: id, detail: reason })
  }
}

/** The default and maximum page size. */
const PAGE_SIZE = CONNECTION_BATCH_SIZE

/** How long ended connections are shown. */
export const KEEP_ENDED_DAYS = 90

/** How long a connection counts as recent. */
const RECENT_MS = 30 * DAY_MS

/** A connection gets its row before its code or token. After this time, it has one. */
const SETTLED_MS = CODE_MINUTES * MINUTE_MS

/**
 * Marks expired connections as ended, so that they are removed `KEEP_ENDED_DAYS` later. Connections that must
 * have expired that long ago, because the service was not running, are removed at once.
 */
export async function markExpiredConnections(stores: Stores, now: number): Promise<void> {
  const { connections, grants } = stores
  const longAgo = now - (KEEP_ENDED_DAYS + REFRESH_TOKEN_DAYS) * DAY_MS
  let last: Connection | undefined
  await inSlices(async () => {
    const page = await connections.oldest(now - SETTLED_MS, last)
    last = page.at(-1)
    const ids = page.map(({ id }) => id)
    const active = await grants.findActive(ids, now)
    const expired = page.filter(({ id }) => !active.has(id))
    const isLongExpired = ({ createdAt, lastUsedAt }: Connection) => (lastUsedAt ?? createdAt) < longAgo
    await connections.forget(expired.filter(isLongExpired).map(({ id }) => id))
    const recent = expired.filter(connection => !isLongExpired(connection)).map(({ id }) => id)
    await endConnections(stores, recent, now, revocationReasons.expired)
    return page.length > 0
  })
}

export function createConnections(stores: Stores, mayRead: MayRead, clock: Clock): Connections {
  function find(
    accountId: string,
    { search, limit = PAGE_SIZE, after, ...page }: ConnectionPage & { search: string },
  ) {
    const matches = textMatcher(search)
    return findInPages(
      last => {
        const from = last === undefined ? {} : { after: last }
        return stores.connections.listFor(accountId, { ...page, ...from, limit: PAGE_SIZE })
      },
      ({ clientName, redirectHost }) => matches(clientName, redirectHost),
      { after, limit },
    )
  }

  async function own(accountId: string, connectionId: string): Promise<Connection> {
    const connection = await stores.connections.find(connectionId)
    if (connection?.accountId !== accountId) throw notFound('connection')
    return connection
  }

  async function findActive(ids: readonly string[]): Promise<Set<string>> {
    const active = new Set<string>()
    for (let at = 0; at < ids.length; at += CONNECTION_BATCH_SIZE) {
      const batch = ids.slice(at, at + CONNECTION_BATCH_SIZE)
      for (const id of await stores.grants.findActive(batch, clock())) active.add(id)
    }
    return active
  }

  /** Ended connections leave the list, so each batch starts from its beginning. */
  const revokeSince = (accountId: string, since: number, reason: string) =>
    inSlices(async () => {
      const open = await stores.connections.listFor(accountId, { kind: 'open', limit: PAGE_SIZE })
      const ids = open.filter(({ createdAt }) => createdAt >= since).map(({ id }) => id)
      await endConnections(stores, ids, clock(), reason)
      return ids.length > 0
    })

  const connections: Connections = {
    async listFor(accountId, { search = '', limit = PAGE_SIZE, ...page } = {}) {
      const all = search
        ? await find(accountId, { ...page, limit, search })
        : await stores.connections.listFor(accountId, { ...page, limit })
      const open = all.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id)
      const active = await findActive(open)
      return all.map(connection =>
        active.has(connection.id) ? { ...connection, ended: false } : ended(connection),
      )
    },

    async findFor(accountId, connectionId) {
      const connection = await own(accountId, connectionId)
      const grant = await stores.grants.find(connectionId)
      const active = await stores.grants.findActive([connectionId], clock())
      if (!grant || !active.has(connectionId)) return ended(connection)
      const { scope, chosenSafeIds, onlyChosenSafe } = grant
      const powers = { mayPropose: mayPropose(grant), hasSearch: grant.hasSearch === true }
      return { ...connection, scope, chosenSafeIds, onlyChosenSafe, ...powers, ended: false }
    },

    async lower(accountId, connectionId, choice) {
      const { resource } = await own(accountId, connectionId)
      if (isLimit(choice, resource === 'api') && !(await mayRead(accountId, chosenSafes(choice))))
        throw badChoice(messages.consent.notListed)
      const grant = await stores.grants.change(connectionId, before => lowered(before, choice))
      if (!grant) throw notFound('connection')
      await stores.connections.markLowered(connectionId, grant)
      stores.record({ kind: 'lowered', accountId, connectionId })
    },

    async setPowers(accountId, connectionId, powers) {
      await own(accountId, connectionId)
      const grant = await stores.grants.change(connectionId, before => withPowers(before, powers))
      if (!grant) throw notFound('connection')
      await stores.connections.markLowered(connectionId, grant)
      const isGiven = Object.values(powers).includes(true)
      stores.record({ kind: isGiven ? 'powers-given' : 'lowered', accountId, connectionId })
    },

    find: connectionId => stores.connections.find(connectionId),

    async revoke(accountId, connectionId) {
      await own(accountId, connectionId)
      await endConnection(stores, connectionId, clock(), revocationReasons.byUser)
    },

    async keepQuestions(accountId, connectionId, keep) {
      if (!(await stores.connections.keepQuestions(accountId, connectionId, keep)))
        throw notFound('connection')
    },

    callsByDay: connectionIds => stores.connections.callsByDay(connectionIds, clock()),

    revokeAll: (accountId, reason = revocationReasons.byUser) => revokeSince(accountId, 0, reason),

    async recent(accountId, limit) {
      const open = await connections.listFor(accountId, { kind: 'open', limit })
      const since = clock() - RECENT_MS
      return open.filter(({ createdAt, ended }) => createdAt >= since && !ended)
    },

    revokeRecent: accountId => revokeSince(accountId, clock() - RECENT_MS, revocationReasons.byUser),
  }
  return connections
}

const ended = (connection: Connection): ListedConnection => ({
  ...connection,
  ended: true,
  revokedReason: connection.revokedReason ?? revocationReasons.expired,
})

export interface IssueOptions {
  /** The name in the user's list of connections. */
  clientName: string
  /** Pins the connection to the endpoint of this Safe. The caller must check that the account may read it. */
  safeId?: string
  /** Lifetime, 1 to 90. Default: one hour, like every access token (SPEC §8). */
  days?: number
  /** Overrides the default grant: user-scoped, read-only. */
  grant?: Partial<Omit<Grant, 'accountId' | 'clientId'>>
}

export interface IssuedToken {
  connectionId: string
  accessToken: string
  expiresAt: number
}

/**
 * Begins a connection and returns its only access token, for scripts that cannot sign in (`svc connection
 * token`).
 * @throws DomainError 400 if `days` is not a whole number from 1 to 90
 */
export type IssueTokens = (accountId: string, options: IssueOptions) => Promise<IssuedToken>

export function createIssueTokens(
  stores: Stores,
  format: TokenFormat,
  clock: Clock,
  random: Random,
): IssueTokens {
  return async (accountId, { clientName, safeId, days, grant: overrides }) => {
    if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= REFRESH_TOKEN_DAYS)) {
      throw new DomainError(400, 'invalid_days', 'The lifetime of a token must be 1 to 90 days.')
    }
    const grant: Grant = {
      accountId,
      clientId: 'cli',
      scope: ['vault:read'],
      resource: safeId ? `safe:${safeId}` : 'user',
      resourceSent: true,
      chosenSafeIds: safeId ? [safeId] : [],
      onlyChosenSafe: false,
      ...overrides,
    }
    const now = clock()
    const display = { clientName, clientVerified: false, redirectHost: '' }
    const expiresAt = days ? now + days * DAY_MS : expiries(now).access
    return beginConnection(stores, grant, display, now, random, async connectionId => {
      const { token: accessToken, hash } = format.newAccessToken(connectionId)
      await stores.grants.beginWithToken(connectionId, grant, { hash, expiresAt }, now)
      return { connectionId, accessToken, expiresAt }
    })
  }
}
