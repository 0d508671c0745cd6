import type { Grant } from '../connections/access.js'

/**
 * A grant as JSON. `chosenSafeId` is for processes of earlier versions, which support a single Safe: one that reads
 * a connection limited to several Safes then allows the first one only, never all.
 */
export function writeGrant(grant: Grant): string {
  return JSON.stringify({ ...grant, chosenSafeId: grant.chosenSafeIds[0] ?? null })
}

/** Reads a grant, also of a version without `chosenSafeIds`. */
export function readGrant(json: string): Grant {
  const { chosenSafeId = null, ...grant } = JSON.parse(json)
  // Extended in place, because this runs for every MCP request.
  grant.chosenSafeIds ??= chosenSafeId === null ? [] : [chosenSafeId]
  return grant
}
