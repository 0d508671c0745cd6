import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import { type ConnectionHead, endedText } from './connection-head.js'
import type { ConnectionWithReads } from './connection-reads.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    connections: ConnectionsPage
  }
}

interface ConnectionsPage extends Page {
  lead: string
  /** The list has more than one page, so the search is shown. */
  searchable: boolean
  search: string
  /** Only ended connections are listed. */
  ended: boolean
  /** The sentence for an empty list, with an optional link. */
  empty: string | null
  howTo: string | null
  openConnections: OpenRow[]
  endedConnections: EndedRow[]
  more: string | null
  first: string | null
  /** Link back to the whole list. */
  back: { href: string; label: string } | null
  /** Whether there are several open connections to end. */
  revokeAll: boolean
  moreEnded: boolean
}

interface OpenRow extends ConnectionHead {
  /** Its own page. */
  href: string
}

interface EndedRow {
  clientName: string
  redirectHost: string
  why: string
}

/** A row of the ended connections. */
export const endedRow = (connection: ConnectionWithReads): EndedRow => ({
  clientName: connection.clientName,
  redirectHost: connection.redirectHost,
  why: endedText(connection),
})

/** What an empty list says; null for other lists. */
export function emptyText(list: {
  search: string
  onlyEnded: boolean
  isFirst: boolean
  count: number
  open: number
}) {
  if (list.search && list.count === 0) return messages.connections.notFound
  if (list.onlyEnded) return list.count === 0 ? messages.connections.noEnded : null
  return list.isFirst && list.open === 0 ? messages.connections.none : null
}

/** The link from a part of the list to the whole. */
export function backTo(list: { search: string; onlyEnded: boolean; isFirstPage: boolean }) {
  const { search, onlyEnded, isFirstPage } = list
  if (isFirstPage && !search && !onlyEnded) return null
  const href = onlyEnded && (search || !isFirstPage) ? '/connections?ended=1' : '/connections'
  if (search) return { href, label: messages.connections.all }
  return { href, label: isFirstPage ? messages.connections.open : messages.layout.first }
}
