import type { FastifyInstance } from 'fastify'
import {
  allowedSafes,
  type Connection,
  type ListedConnection,
} from '../../../domain/oauth/connections/access.js'
import { connectionsTexts } from '../../../views/texts/connections.js'

/** A connection, with a description of what it may read. */
export type ConnectionWithReads = ListedConnection & { reads: string }

/** Maximum Safes of a connection named in the list. */
const SAFES_NAMED = 3

/** Adds a description of what each connection may read. */
export async function withReads<Listed extends ListedConnection>(
  app: FastifyInstance,
  accountId: string,
  connections: readonly Listed[],
): Promise<(Listed & { reads: string })[]> {
  const names = await namesOf(app, accountId, connections)
  return connections.map(connection => ({ ...connection, reads: scopeText(connection, names) }))
}

/** The names of the Safes that the descriptions name. */
async function namesOf({ safes }: FastifyInstance, accountId: string, connections: readonly Connection[]) {
  const ids = new Set(connections.flatMap(connection => namedSafes(connection)))
  const named = await safes.readableAmong(accountId, [...ids])
  return new Map(named.map(({ id, name }) => [id, name]))
}

/** The Safes that the text about a connection names. */
const namedSafes = (connection: Connection) =>
  (allowedSafes(connection) ?? connection.chosenSafeIds).slice(0, SAFES_NAMED)

function scopeText(connection: Connection, names: Map<string, string>): string {
  const { allSafes, startsWith, only, missingSafe, andMore } = connectionsTexts
  const allowed = allowedSafes(connection)
  const named = namedSafes(connection)
  if (allowed === null) {
    const first = named[0] === undefined ? undefined : names.get(named[0])
    return first === undefined ? allSafes : startsWith(first)
  }
  const text = named.map(id => names.get(id) ?? missingSafe).join(', ')
  return only(allowed.length > named.length ? andMore(text, allowed.length - named.length) : text)
}
