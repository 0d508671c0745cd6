import { CODES, RpcError } from '../json-rpc.js'

/** The baseline revision (SPEC §9); the default if a client sends none (RULES X7). */
export const BASELINE = '2025-03-26'

/** The revisions that `initialize` negotiates (DESIGN §5.7). */
export const REVISIONS: readonly string[] = [BASELINE, '2025-06-18', '2025-11-25']

/** The revision that removed batches and added structured tool results. */
const STRUCTURED = '2025-06-18'

/** The revision that added icons. */
const ICONS = '2025-11-25'

/** The stateless revision, which has no handshake: every request names it (MCP 2026-07-28 Versioning). */
export const STATELESS = '2026-07-28'

/** The revision that `initialize` negotiates: the requested one if supported, otherwise the baseline (RULES X1). */
export function negotiate(requested: string): string {
  return REVISIONS.includes(requested) ? requested : BASELINE
}

/**
 * The revision of a request: from its `MCP-Protocol-Version` header, else from its session, else the baseline
 * (MCP 2025-06-18 Transports, "Protocol Version Header"; RULES X7).
 * @throws RpcError 400 for an unsupported revision
 */
export function requestRevision(
  header: string | undefined,
  session: { protocolVersion: string } | null,
): string {
  if (header === undefined) return session?.protocolVersion ?? BASELINE
  if (REVISIONS.includes(header)) return header
  throw new RpcError(CODES.refused, `MCP-Protocol-Version must be one of ${REVISIONS.join(', ')}.`, 400)
}

const DATE = /^\d{4}-\d\d-\d\d$/

/** Whether an `MCP-Protocol-Version` header names the stateless revision or a later one. */
export function namesStateless(header: string | undefined): boolean {
  return header !== undefined && header >= STATELESS && DATE.test(header)
}

// Revisions are ISO dates, so they can be compared as strings.
/** Whether a revision has batches. */
export const hasBatches = (revision: string) => revision < STRUCTURED
/** Whether tool results are also sent as data. */
export const hasStructuredResults = (revision: string) => revision >= STRUCTURED
/** Whether the server and its tools have icons. */
export const hasIcons = (revision: string) => revision >= ICONS
