import { setImmediate as otherRequests } from 'node:timers/promises'
import type { Clock } from '../../../platform/common/clock.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { DAY_MS } from '../../../platform/common/durations.js'
import { findInPages, textMatcher } from '../../../platform/common/search.js'
import { type AppIdentity, appOf } from '../clients/app.js'
import { isChatGpt } from '../clients/redirect-uri.js'
import { READ } from '../scope.js'
import { CONNECTION_BATCH_SIZE } from '../stores/types.js'
import {
  type AppRow,
  type Connection,
  type ConnectionPage,
  type EarlierChoice,
  type ListedConnection,
  powersOf,
} from './access.js'
import { revocationReasons, type Stores } from './connection.js'
import { KEEP_ENDED_DAYS } from './expire.js'

/** The default and maximum page size. */
export const PAGE_SIZE = CONNECTION_BATCH_SIZE

/** How many connections a search reads at a time. */
const READ_AT_ONCE = 1_000

/** How long a connection counts as recent. */
export const RECENT_MS = 30 * DAY_MS

/** Other connections of an app that its page shows. */
const MEMBERS_SHOWN = 50

type Page = ConnectionPage & { search?: string }

/** The connections as users see them. */
export function connectionLists(stores: Stores, clock: Clock) {
  const { connections, grants } = stores
  const activeOf = (ids: readonly string[]) => findActive(stores, ids, clock())
  const listed = async (page: readonly Connection[]) => {
    const open = page.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id)
    const active = await activeOf(open)
    return page.map(each => (active.has(each.id) ? { ...each, ended: false } : ended(each)))
  }
  const listFor = async (accountId: string, { search = '', limit = PAGE_SIZE, ...page }: Page = {}) =>
    listed(
      search
        ? await found(stores, accountId, { ...page, limit, search })
        : await connections.listFor(accountId, { ...page, limit }),
    )
  return {
    /**
     * Lists connections newest first, or, for ended ones, most recently ended first. The default limit is 100.
     * `search` matches the client name or redirect host.
     */
    listFor,

    /** The open connections, or the ended ones, with one row per app. */
    rows: async (accountId: string, page: ConnectionPage & { search?: string }): Promise<AppRow[]> =>
      rowsOf(stores, accountId, await listFor(accountId, { ...page, newestOfApp: true }), clock()),

    /** The other connections of the same app, newest first, at most `MEMBERS_SHOWN`. */
    async othersOf({ id, accountId, app }: Connection): Promise<ListedConnection[]> {
      if (app === null) return []
      const members = await connections.ofApp(accountId, app, MEMBERS_SHOWN + 1)
      return listed(members.filter(member => member.id !== id).slice(0, MEMBERS_SHOWN))
    },

    /** The account's choice when it last approved this app, until 90 days after that ended. */
    async earlier(accountId: string, identity: AppIdentity): Promise<EarlierChoice | null> {
      const [latest] = await connections.ofApp(accountId, appOf(identity), 1)
      if (!latest || clock() - (latest.revokedAt ?? clock()) > KEEP_ENDED_DAYS * DAY_MS) return null
      const { chosenSafeIds, onlyChosenSafe, scope, mayPropose, hasSearch, keepsQuestions, createdAt } =
        latest
      // Any program can use the name of an unverified app, so its powers are chosen again (RULES C8).
      const isVouchedFor = latest.standing !== 'unverified' && identity.redirectUri.startsWith('https:')
      // Asked again if the app had the tools, or would have them by default.
      const search = (hasSearch || isChatGpt(identity.redirectUri)) && { search: hasSearch && isVouchedFor }
      const powers = { scope: isVouchedFor ? scope : [READ], propose: mayPropose && isVouchedFor, ...search }
      return { safeIds: chosenSafeIds, only: onlyChosenSafe, ...powers, keepsQuestions, at: createdAt }
    },

    /**
     * The connection with its current access.
     * @throws notFound if it does not belong to this account
     */
    async findFor(accountId: string, connectionId: string): Promise<ListedConnection> {
      const connection = await ownConnection(stores, accountId, connectionId)
      const grant = await grants.find(connectionId)
      const active = await grants.findActive([connectionId], clock())
      if (!grant || !active.has(connectionId)) return ended(connection)
      const { scope, chosenSafeIds, onlyChosenSafe } = grant
      return { ...connection, scope, chosenSafeIds, onlyChosenSafe, ...powersOf(grant), ended: false }
    },

    /** For the operator of the service; does not check the account. */
    find: (connectionId: string): Promise<Connection | null> => connections.find(connectionId),
    /** The MCP requests of each connection by day, for the last `CALL_DAYS` days, today last. */
    callsByDay: (connectionIds: readonly string[]): Promise<Map<string, number[]>> =>
      connections.callsByDay(connectionIds, clock()),

    /** The open connections of an account that began in the last 30 days, newest first. */
    async recent(accountId: string, limit: number): Promise<ListedConnection[]> {
      const open = await listFor(accountId, { kind: 'open', limit })
      const since = clock() - RECENT_MS
      return open.filter(({ createdAt, ended }) => createdAt >= since && !ended)
    },
  }
}

/** @throws notFound if the connection does not belong to this account */
export async function ownConnection(
  { connections }: Stores,
  accountId: string,
  connectionId: string,
): Promise<Connection> {
  const connection = await connections.find(connectionId)
  if (connection?.accountId !== accountId) throw notFound('connection')
  return connection
}

function found(
  { connections }: Stores,
  accountId: string,
  { search, limit, after, ...page }: Page & { search: string; limit: number },
) {
  const matches = textMatcher(search)
  return findInPages(
    last => {
      const from = last === undefined ? {} : { after: last }
      return connections.listFor(accountId, { ...page, ...from, limit: READ_AT_ONCE })
    },
    ({ clientName, redirectHost }) => matches(clientName, redirectHost),
    { after, limit },
  )
}

async function findActive({ grants }: Stores, ids: readonly string[], now: number): Promise<Set<string>> {
  const active = new Set<string>()
  for (let at = 0; at < ids.length; at += CONNECTION_BATCH_SIZE) {
    const batch = ids.slice(at, at + CONNECTION_BATCH_SIZE)
    for (const id of await grants.findActive(batch, now)) active.add(id)
    if (batch.length === CONNECTION_BATCH_SIZE) await otherRequests()
  }
  return active
}

/** The rows of these connections, the newest of their apps. */
async function rowsOf(stores: Stores, accountId: string, newest: readonly ListedConnection[], now: number) {
  const apps = newest.flatMap(({ app, revokedAt }) => (app !== null && revokedAt === null ? [app] : []))
  const members = await stores.connections.openOf(accountId, apps)
  const active = await findActive(
    stores,
    members.map(({ id }) => id),
    now,
  )
  const working = members.filter(({ id }) => active.has(id))
  const ofApp = (name: string | null) => (name === null ? [] : working.filter(({ app }) => app === name))
  return newest.map(each => rowOf(each, ofApp(each.app)))
}

/** One row for the connections of an app. `working`: those that have not ended or expired, newest first. */
function rowOf(newest: ListedConnection, working: readonly Connection[]): AppRow {
  const [first] = working
  // The newest may have expired while an earlier one is used every day: working ones must be shown.
  const shown: ListedConnection = first && newest.ended ? { ...first, ended: false } : newest
  const used = working.flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
  return {
    ...shown,
    cursor: newest.id,
    others: Math.max(0, working.length - 1),
    othersDiffer: working.some(each => readsOf(each) !== readsOf(shown)),
    lastUsedAt: used.length > 0 ? Math.max(...used) : shown.lastUsedAt,
    mayPropose: shown.mayPropose || working.some(({ mayPropose }) => mayPropose),
    hasSearch: shown.hasSearch || working.some(({ hasSearch }) => hasSearch),
  }
}

const readsOf = ({ onlyChosenSafe, chosenSafeIds }: Connection) =>
  onlyChosenSafe ? [...chosenSafeIds].sort().join(' ') : ''

const ended = (connection: Connection): ListedConnection => ({
  ...connection,
  ended: true,
  revokedReason: connection.revokedReason ?? revocationReasons.expired,
})
