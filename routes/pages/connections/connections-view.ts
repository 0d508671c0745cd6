import type { AppRow } from '../../../domain/oauth/connections/access.js'
import { WRITE } from '../../../domain/oauth/scope.js'
import { showTime } from '../../../platform/common/format.js'
import { connectionsTexts } from '../../../views/texts/connections.js'
import { layoutTexts } from '../../../views/texts/layout.js'
import { endedText } from './connection-head.js'
import type { ConnectionWithReads } from './connection-reads.js'

/** An app in one row; the rest is on its own page. */
interface OpenRow {
  clientName: string
  reads: string
  /** Note that others of its connections read other Safes. */
  differ: string | null
  /** The number of its other connections. */
  others: string | null
  powers: string
  lastUsed: string
  href: string
  revoke: string
}

interface EndedRow {
  href: string
  clientName: string
  redirectHost: string
  why: string
}

/** A row of the open connections. */
export function openRow(row: AppRow & { reads: string }, hasProposals: boolean): OpenRow {
  const m = connectionsTexts
  const powers = [
    ...(row.mayPropose && hasProposals ? [m.powers.proposes] : []),
    ...(row.hasSearch ? [m.powers.searches] : []),
    ...(row.resource === 'api' && row.scope.includes(WRITE) ? [m.powers.fills] : []),
  ]
  return {
    clientName: row.clientName,
    reads: row.reads,
    differ: row.othersDiffer ? m.othersDiffer : null,
    others: row.others > 0 ? m.others(row.others) : null,
    powers: powers.join(', '),
    lastUsed: row.lastUsedAt ? showTime(row.lastUsedAt) : m.never,
    href: `/connections/${row.id}`,
    revoke: `/connections/${row.id}/revoke`,
  }
}

/** A row of the ended connections. */
export const endedRow = (connection: ConnectionWithReads): EndedRow => ({
  href: `/connections/${connection.id}`,
  clientName: connection.clientName,
  redirectHost: connection.redirectHost,
  why: endedText(connection),
})

/** The text of an empty list; null for other lists. */
export function emptyText(list: {
  search: string
  onlyEnded: boolean
  isFirst: boolean
  count: number
  open: number
}) {
  if (list.search && list.count === 0) return connectionsTexts.notFound
  if (list.onlyEnded) return list.count === 0 ? connectionsTexts.noEnded : null
  return list.isFirst && list.open === 0 ? connectionsTexts.none : null
}

/** The link from a part of the list to the whole. */
export function backTo(list: { search: string; onlyEnded: boolean; isFirstPage: boolean }) {
  const { search, onlyEnded, isFirstPage } = list
  if (isFirstPage && !search && !onlyEnded) return null
  const href = onlyEnded && (search || !isFirstPage) ? '/connections?ended=1' : '/connections'
  if (search) return { href, label: connectionsTexts.all }
  return { href, label: isFirstPage ? connectionsTexts.open : layoutTexts.first }
}
