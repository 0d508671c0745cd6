import type { Clock } from '../../../platform/common/clock.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { inSlices } from '../../../platform/storage/slices.js'
import { oauthTexts } from '../texts.js'
import { allowedSafes, type Connection, type Grant, type Powers } from './access.js'
import { badChoice, type ConnectionChoice, chosenSafes, isLimit, type MayRead } from './choice.js'
import { endConnection, endConnections, revocationReasons, type Stores } from './connection.js'
import { connectionLists, ownConnection, PAGE_SIZE, RECENT_MS } from './lists.js'
import { narrowed, withPowers } from './narrow.js'

/** The connections of accounts: listing, changing and ending them. */
export function createConnections(stores: Stores, mayRead: MayRead, clock: Clock) {
  const { record } = stores
  const own = (accountId: string, connectionId: string) => ownConnection(stores, accountId, connectionId)
  return {
    ...connectionLists(stores, clock),

    /**
     * Removes Safes and scopes, also from the other connections of the app, ending those that have no Safe left;
     * parts of `choice` outside a grant are ignored. Takes effect on every process at the next request.
     * @throws notFound if it does not belong to this account or has ended, DomainError 400 `bad_choice`
     */
    async narrow(accountId: string, connectionId: string, choice: ConnectionChoice): Promise<void> {
      const connection = await own(accountId, connectionId)
      if (isLimit(choice, connection.resource === 'api') && !(await mayRead(accountId, chosenSafes(choice))))
        throw badChoice(oauthTexts.notListed)
      const grant = await change(stores, connection, before => narrowed(before, choice))
      for await (const other of openOthers(stores, connection))
        if (!(await isNarrowed(stores, other, grant)))
          await endConnection(stores, other.id, clock(), revocationReasons.byUser)
      record({ kind: 'lowered', accountId, connectionId })
    },

    /**
     * Grants powers to the connections of an app, or revokes them. Takes effect on every process at the next request.
     * @throws notFound if it does not belong to this account or has ended
     */
    async setPowers(accountId: string, connectionId: string, powers: Powers): Promise<void> {
      const connection = await own(accountId, connectionId)
      await change(stores, connection, grant => withPowers(grant, powers))
      for await (const other of openOthers(stores, connection))
        await changeIfOpen(stores, other, grant => withPowers(grant, powers))
      const isGiven = Object.values(powers).includes(true)
      record({ kind: isGiven ? 'powers-given' : 'lowered', accountId, connectionId })
    },

    /**
     * Ends a connection.
     * @throws notFound if it does not belong to this account
     */
    async revoke(accountId: string, connectionId: string): Promise<void> {
      await own(accountId, connectionId)
      await endConnection(stores, connectionId, clock(), revocationReasons.byUser)
    },

    /**
     * Ends all connections of the app of this connection.
     * @throws notFound if it does not belong to this account
     */
    async revokeApp(accountId: string, connectionId: string): Promise<void> {
      const connection = await own(accountId, connectionId)
      await endConnection(stores, connectionId, clock(), revocationReasons.byUser)
      for await (const { id } of openOthers(stores, connection))
        await endConnection(stores, id, clock(), revocationReasons.byUser)
    },

    /**
     * Sets whether the text of an app's questions is stored from now on.
     * @throws notFound if it does not belong to this account
     */
    async keepQuestions(accountId: string, connectionId: string, keep: boolean): Promise<void> {
      const connection = await own(accountId, connectionId)
      await stores.connections.keepQuestions(accountId, connectionId, keep)
      for await (const { id } of openOthers(stores, connection))
        await stores.connections.keepQuestions(accountId, id, keep)
    },

    /** Revokes all connections of an account in batches. Default reason: the user has ended them. */
    revokeAll: (accountId: string, reason: string = revocationReasons.byUser): Promise<void> =>
      revokeSince(stores, accountId, 0, clock, reason),
    /** Revokes the connections that `recent` lists, without its limit. */
    revokeRecent: (accountId: string): Promise<void> =>
      revokeSince(stores, accountId, clock() - RECENT_MS, clock, revocationReasons.byUser),
  }
}

type Change = (grant: Grant) => Grant

/** @throws notFound if the connection has ended */
async function change(stores: Stores, connection: Connection, next: Change): Promise<Grant> {
  const grant = await changeIfOpen(stores, connection, next)
  if (!grant) throw notFound('connection')
  return grant
}

async function changeIfOpen({ grants, connections }: Stores, { id }: Connection, next: Change) {
  const grant = await grants.change(id, next)
  if (grant) await connections.markChanged(id, grant)
  return grant
}

/** Limits another connection of the app to the access of this one. Returns false if no Safe is left. */
async function isNarrowed(stores: Stores, other: Connection, to: Grant): Promise<boolean> {
  const limit = allowedSafes(to)
  let hasSafe = true
  await changeIfOpen(stores, other, grant => {
    const allowed = allowedSafes(grant)
    // Without a limit, the other keeps its Safes.
    const choice = { safeIds: limit ?? allowed ?? [], only: limit !== null, scope: to.scope }
    hasSafe = !limit || !allowed || allowed.some(id => limit.includes(id))
    return hasSafe ? narrowed(grant, choice) : grant
  })
  return hasSafe
}

/** The other open connections of the same app, to which the user's decision also applies. */
async function* openOthers({ connections }: Stores, { id, accountId, app }: Connection) {
  let page: Connection[] = []
  do {
    page = app === null ? [] : await connections.openOf(accountId, [app], page.at(-1))
    for (const other of page) if (other.id !== id) yield other
  } while (page.length > 0)
}

/** Ended connections leave the list, so each batch starts from its beginning. */
function revokeSince(stores: Stores, accountId: string, since: number, clock: Clock, reason: string) {
  return inSlices(async () => {
    const open = await stores.connections.listFor(accountId, { kind: 'open', limit: PAGE_SIZE })
    const ids = open.filter(({ createdAt }) => createdAt >= since).map(({ id }) => id)
    await endConnections(stores, ids, clock(), reason)
    return ids.length > 0
  })
}

export type Connections = ReturnType<typeof createConnections>
