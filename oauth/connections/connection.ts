import type { Clock } from '../../common/clock.js'
import { DomainError, notFound } from '../../common/domain-error.js'
import { findInPages, letterTest } from '../../common/search.js'
import { newId, type Random } from '../../common/secrets.js'
import { inSlices } from '../../storage/slices.js'
import { CODE_MINUTES, DAY_MS, expiries, MINUTE_MS, REFRESH_TOKEN_DAYS } from '../lifetime.js'
import { CONNECTION_BATCH_SIZE, type ConnectionStore, type GrantStore } from '../stores/types.js'
import type { TokenFormat } from '../token/token.js'
import type { Connection, ConnectionPage, Connections, Grant } from './access.js'

/** What only the user's list of connections needs. */
export type ConnectionDisplay = Pick<Connection, 'clientName' | 'clientVerified' | 'redirectHost'>

/** Why a connection ended, in sentences for its user. */
export const revocationReasons = {
  byUser: 'You disconnected it.',
  byClient: 'The app signed out.',
  codeReplayed:
    'Its sign-in code was used a second time, which may mean that somebody copied it. Connect again to go on.',
  refreshReused:
    'An old key of this connection was used again, which may mean that somebody copied it. Connect again to go on.',
  expired: 'It ran out. Connect again to go on.',
}

interface Stores {
  connections: ConnectionStore
  grants: GrantStore
}

/**
 * Writes the durable row of a connection that begins, then what makes it work (its code or token), so that nothing
 * ever works that its user cannot see.
 * @returns what `begin` returns
 */
export async function beginConnection<T>(
  { connections, grants }: Stores,
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
  })
  const begun = await begin(id)
  // Its user may have ended all connections after it had a row and before there was anything to end.
  if ((await connections.find(id))?.revokedAt !== null) await grants.revoke(id)
  return begun
}

/**
 * Ends a connection for good, then says why. In this order, so that what is said to have ended has ended; and once
 * more, because a connection that was just beginning did not see yet what is said (`beginConnection`).
 */
export async function endConnection(
  { connections, grants }: Stores,
  connectionId: string,
  at: number,
  reason: string,
): Promise<void> {
  await grants.revoke(connectionId)
  await connections.markRevoked(connectionId, at, reason)
  await grants.revoke(connectionId)
}

/** As `endConnection`, of many. */
async function endConnections(
  { connections, grants }: Stores,
  ids: readonly string[],
  at: number,
  reason: string,
): Promise<void> {
  if (ids.length === 0) return
  await grants.revokeAll(ids)
  await connections.markAllRevoked(ids, at, reason)
  await grants.revokeAll(ids)
}

/** Of a page, where the caller names no number, and the most there can be. */
const PAGE = CONNECTION_BATCH_SIZE

/** Ended connections are shown this long. */
export const KEEP_ENDED_DAYS = 90

/** A connection has its row before it has a code or token; by then it has one. */
const BEGUN_MS = CODE_MINUTES * MINUTE_MS

/**
 * Writes down which connections have expired, which nothing does when it happens: from now on they count as ended, so
 * that they are forgotten `KEEP_ENDED_DAYS` later. Those of which it is certain that they expired that long ago, because the
 * service did not run meanwhile, are forgotten at once.
 */
export async function markExpiredConnections(stores: Stores, now: number): Promise<void> {
  const { connections, grants } = stores
  const longAgo = now - (KEEP_ENDED_DAYS + REFRESH_TOKEN_DAYS) * DAY_MS
  let last: Connection | undefined
  await inSlices(async () => {
    const page = await connections.oldest(now - BEGUN_MS, last)
    last = page.at(-1)
    const ids = page.map(({ id }) => id)
    const active = await grants.findActive(ids, now)
    const expired = page.filter(({ id }) => !active.has(id))
    const wasLongAgo = ({ createdAt, lastUsedAt }: Connection) => (lastUsedAt ?? createdAt) < longAgo
    await connections.forget(expired.filter(wasLongAgo).map(({ id }) => id))
    const lately = expired.filter(connection => !wasLongAgo(connection)).map(({ id }) => id)
    await endConnections(stores, lately, now, revocationReasons.expired)
    return page.length > 0
  })
}

export function createConnections(stores: Stores, clock: Clock): Connections {
  function find(
    accountId: string,
    { search, limit = PAGE, after, ...page }: ConnectionPage & { search: string },
  ) {
    const matches = letterTest(search)
    return findInPages(
      last => {
        const from = last === undefined ? {} : { after: last }
        return stores.connections.listFor(accountId, { ...page, ...from, limit: PAGE })
      },
      ({ clientName, redirectHost }) => matches(clientName, redirectHost),
      { after, limit },
    )
  }

  async function findActive(ids: readonly string[]): Promise<Set<string>> {
    const active = new Set<string>()
    for (let at = 0; at < ids.length; at += CONNECTION_BATCH_SIZE) {
      const some = ids.slice(at, at + CONNECTION_BATCH_SIZE)
      for (const id of await stores.grants.findActive(some, clock())) active.add(id)
    }
    return active
  }

  return {
    async listFor(accountId, { search = '', limit = PAGE, ...page } = {}) {
      const all = search
        ? await find(accountId, { ...page, limit, search })
        : await stores.connections.listFor(accountId, { ...page, limit })
      const open = all.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id)
      const active = await findActive(open)
      return all.map(connection => {
        if (active.has(connection.id)) return { ...connection, ended: false }
        return {
          ...connection,
          ended: true,
          revokedReason: connection.revokedReason ?? revocationReasons.expired,
        }
      })
    },

    find: connectionId => stores.connections.find(connectionId),

    async revoke(accountId, connectionId) {
      const connection = await stores.connections.find(connectionId)
      if (connection?.accountId !== accountId) throw notFound('connection')
      await endConnection(stores, connectionId, clock(), revocationReasons.byUser)
    },

    async revokeAll(accountId) {
      // Whatever is ended leaves the list, so that its beginning is always what is left.
      await inSlices(async () => {
        const open = await stores.connections.listFor(accountId, { kind: 'open', limit: PAGE })
        const ids = open.map(({ id }) => id)
        await endConnections(stores, ids, clock(), revocationReasons.byUser)
        return ids.length > 0
      })
    },
  }
}

export interface IssueOptions {
  /** What the user's list of connections calls it. */
  clientName: string
  /** Pins the connection to this Safe's endpoint; the caller has checked that the account may read it. */
  safeId?: string
  /** 1 to 90; without it the token lives for the hour of every access token (SPEC §8). */
  days?: number
  /** What differs from a plain user-scoped connection that may read. */
  grant?: Partial<Omit<Grant, 'accountId' | 'clientId'>>
}

export interface IssuedToken {
  connectionId: string
  accessToken: string
  expiresAt: number
}

/**
 * A connection whose one access token is handed out directly, for scripts that cannot sign in (`svc connection token`).
 * @throws DomainError 400 when `days` is no whole number from 1 to 90
 */
export type IssueTokens = (accountId: string, options: IssueOptions) => Promise<IssuedToken>

export function createIssueTokens(
  stores: Stores,
  format: TokenFormat,
  clock: Clock,
  random: Random,
): IssueTokens {
  return async (accountId, { clientName, safeId, days, grant: different }) => {
    if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= REFRESH_TOKEN_DAYS)) {
      throw new DomainError(400, 'invalid_days', 'A token can live for 1 to 90 days.')
    }
    const grant: Grant = {
      accountId,
      clientId: 'cli',
      scope: ['vault:read'],
      resource: safeId ? `safe:${safeId}` : 'user',
      resourceSent: true,
      chosenSafeId: safeId ?? null,
      onlyChosenSafe: false,
      ...different,
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
