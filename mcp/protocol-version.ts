import { codes, RpcError } from './json-rpc.js'

/** The baseline (SPEC §9), assumed when a client names none (RULES X7). */
export const BASELINE = '2025-03-26'

/** Every revision that is spoken when asked for (DESIGN §5.7). */
export const revisions: readonly string[] = [BASELINE, '2025-06-18', '2025-11-25']

/** The revision that took batches out and brought structured tool results in. */
const STRUCTURED = '2025-06-18'

/** What `initialize` settles on: the revision asked for, or the baseline (RULES X1). */
export function negotiate(requested: string): string {
  return revisions.includes(requested) ? requested : BASELINE
}

/**
 * The revision a request is in: what its `MCP-Protocol-Version` header says, else what its session settled on,
 * else the baseline (MCP 2025-06-18 Transports, "Protocol Version Header"; RULES X7).
 * @throws RpcError 400 for a revision that is not spoken here
 */
export function requestRevision(header: string | undefined, session: string | undefined): string {
  if (header === undefined) return session ?? BASELINE
  if (revisions.includes(header)) return header
  throw new RpcError(codes.refused, `MCP-Protocol-Version should be one of ${revisions.join(', ')}.`, 400)
}

/** ISO dates sort as text. */
export const hasBatches = (revision: string) => revision < STRUCTURED
export const hasStructuredResults = (revision: string) => revision >= STRUCTURED
