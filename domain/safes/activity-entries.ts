import type { NewEntry } from '../activity/entry.js'
import type { Import, Membership, Role } from './safe.js'

/** The entry of an import, for the activity; `connectionId`: the connection that did it. */
export function importEntry(
  kind: 'imported' | 'undone' | 'restored',
  accountId: string,
  { safeId, source, counts }: Import,
  connectionId: string | null = null,
): NewEntry {
  // A run of a synced folder may remove more than it added.
  const facts = Math.max(0, counts.relations)
  const passages = Math.max(0, counts.passages)
  return { kind, accountId, safeId, detail: source, facts, passages, connectionId }
}

/** The entry of a new role, or null if it is the old one. */
export function roleEntry(
  accountId: string,
  safeId: string,
  before: Membership | null,
  role: Role,
): NewEntry | null {
  if (before?.role === role) return null
  return { kind: before ? 'role-changed' : 'member-added', accountId, safeId, detail: role }
}
