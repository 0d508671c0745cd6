import type { Insertable, Selectable } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { STANDINGS } from '../clients/standing.js'
import type { Connection, Powers, Resource } from '../connections/access.js'
import { WRITE } from '../scope.js'

/** Powers as a column. */
export function rowOf(connection: Connection & { resourceSent: boolean }): Insertable<Schema['connections']> {
  return {
    id: connection.id,
    account_id: connection.accountId,
    client_id: connection.clientId,
    client_name: connection.clientName,
    client_verified: STANDINGS.indexOf(connection.standing),
    redirect_host: connection.redirectHost,
    scope: connection.scope.join(' '),
    resource: connection.resource,
    resource_sent: Number(connection.resourceSent),
    ...chosenColumns(connection),
    created_at: connection.createdAt,
    last_used_at: connection.lastUsedAt,
    calls: connection.calls,
    revoked_at: connection.revokedAt,
    revoked_reason: connection.revokedReason,
    keep_questions: Number(connection.keepsQuestions),
    app: connection.app,
    powers: powersColumn(connection),
  }
}

/** Powers as their column. */
export const powersColumn = ({ mayPropose, hasSearch }: Required<Powers>) =>
  [...(mayPropose ? [PROPOSE] : []), ...(hasSearch ? [SEARCH] : [])].join(' ')

function powersIn({ powers, scope, resource }: Selectable<Schema['connections']>): Required<Powers> {
  // Earlier versions stored no powers in the row: a connection with the scope could propose.
  const named =
    powers === null ? (resource !== 'api' && scope.includes(WRITE) ? [PROPOSE] : []) : powers.split(' ')
  return { mayPropose: named.includes(PROPOSE), hasSearch: named.includes(SEARCH) }
}

const PROPOSE = 'propose'
const SEARCH = 'search'

/** The connection of a row. */
export function connectionOf(row: Selectable<Schema['connections']>): Connection {
  return {
    id: row.id,
    accountId: row.account_id,
    clientId: row.client_id,
    clientName: row.client_name,
    standing: STANDINGS[row.client_verified] ?? 'unverified',
    redirectHost: row.redirect_host,
    scope: row.scope.split(' '),
    resource: row.resource as Resource,
    chosenSafeIds: chosenOf(row),
    onlyChosenSafe: row.only_chosen_safe === 1,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    calls: row.calls,
    revokedAt: row.revoked_at,
    revokedReason: row.revoked_reason,
    keepsQuestions: row.keep_questions === 1,
    app: row.app,
    ...powersIn(row),
  }
}

/** If one Safe was chosen, only `chosen_safe_id` contains it; versions before 0005 know no other column. */
export function chosenColumns({
  chosenSafeIds,
  onlyChosenSafe,
}: Pick<Connection, 'chosenSafeIds' | 'onlyChosenSafe'>) {
  return {
    chosen_safe_id: chosenSafeIds[0] ?? null,
    chosen_safes_json: chosenSafeIds.length > 1 ? JSON.stringify(chosenSafeIds) : null,
    only_chosen_safe: Number(onlyChosenSafe),
  }
}

function chosenOf(row: Selectable<Schema['connections']>): string[] {
  if (row.chosen_safes_json !== null) return JSON.parse(row.chosen_safes_json)
  return row.chosen_safe_id === null ? [] : [row.chosen_safe_id]
}
