import { HOUR_MS, MINUTE_MS } from '../../platform/common/durations.js'
import { constant, isConstant, type Result, type RpcResponse } from '../json-rpc.js'

/**
 * How long clients may cache a list, and for whom (RULES N9). Tools depend on the powers of the connection; instructions and
 * documents on the Safes that it may read.
 */
const TTL_MS = HOUR_MS
/** Documents change. */
const CACHING: Record<string, object> = {
  'tools/list': { ttlMs: TTL_MS, cacheScope: 'private' },
  'server/discover': { ttlMs: TTL_MS, cacheScope: 'private' },
  'prompts/list': { ttlMs: TTL_MS, cacheScope: 'public' },
  'resources/list': { ttlMs: MINUTE_MS, cacheScope: 'private' },
  'resources/templates/list': { ttlMs: TTL_MS, cacheScope: 'public' },
  'resources/read': { ttlMs: MINUTE_MS, cacheScope: 'private' },
}

interface StampOptions {
  name: string
  version: string
}

/** Adds the members that MCP 2026-07-28 requires in a response to a method. */
export type Stamp = (method: string, response: RpcResponse) => RpcResponse

/**
 * Every result declares that it is complete and which server it comes from (MCP 2026-07-28 Overview, "ResultType" and
 * "Per-response protocol fields"); lists declare how long they are valid (Caching).
 */
export function stampOf({ name, version }: StampOptions): Stamp {
  const _meta = { 'io.modelcontextprotocol/serverInfo': { name, version } }
  const constants = new WeakMap<Result, Result>()
  const stamped = (method: string, result: Result): Result => ({
    ...result,
    resultType: 'complete',
    ...CACHING[method],
    _meta,
  })

  /** Most lists are constants: each is stamped once. */
  function stampConstant(method: string, result: Result): Result {
    const known = constants.get(result)
    if (known) return known
    const now = constant(stamped(method, result))
    constants.set(result, now)
    return now
  }

  return (method, response) => {
    if (!('result' in response)) return response
    const { result } = response
    const stamp = isConstant(result) ? stampConstant : stamped
    return { ...response, result: stamp(method, result) }
  }
}
