import type { Insertable, Selectable } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { fromRow, toRow } from '../../names.js'
import { STANDINGS } from '../clients/app-trust.js'
import type { Connection, Powers, Resource } from '../connections/access.js'
import { WRITE } from '../scope.js'

/** The row of a connection. */
export function rowOf(connection: Connection & { resourceSent: boolean }): Insertable<Schema['connections']> {
  const { standing, scope, resourceSent, chosenSafeIds, onlyChosenSafe, keepsQuestions, ...rest } = connection
  const { mayPropose, hasSearch, ...same } = rest
  return {
    ...toRow(same),
    client_verified: STANDINGS.indexOf(standing),
    scope: scope.join(' '),
    resource_sent: Number(resourceSent),
    ...chosenColumns({ chosenSafeIds, onlyChosenSafe }),
    keep_questions: Number(keepsQuestions),
    powers: powersColumn({ mayPropose, hasSearch }),
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
  const {
    client_verified,
    resource_sent,
    chosen_safe_id,
    chosen_safes_json,
    keep_questions,
    powers,
    ...same
  } = row
  return {
    ...fromRow(same),
    standing: STANDINGS[client_verified] ?? 'unverified',
    scope: row.scope.split(' '),
    resource: row.resource as Resource,
    chosenSafeIds: chosenOf(row),
    onlyChosenSafe: row.only_chosen_safe === 1,
    keepsQuestions: keep_questions === 1,
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
