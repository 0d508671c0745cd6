import { constant, type Result, type RpcResponse } from '../json-rpc.js'

/**
 * How long clients may keep a list, and for whom (RULES N9). Tools depend on the powers of the connection, instructions on
 * the Safes that it may read, as documents do.
 */
const TTL_MS = 3_600_000
/** Documents change. */
const MINUTE_MS = 60_000
const CACHING: Record<string, object> = {
  'tools/list': { ttlMs: TTL_MS, cacheScope: 'private' },
  'server/discover': { ttlMs: TTL_MS, cacheScope: 'private' },
  'resources/list': { ttlMs: MINUTE_MS, cacheScope: 'private' },
  'resources/templates/list': { ttlMs: TTL_MS, cacheScope: 'public' },
  'resources/read': { ttlMs: MINUTE_MS, cacheScope: 'private' },
}

interface StampOptions {
  name: string
  version: string
}

/** Adds what MCP 2026-07-28 requires of a response to a method. */
export type Stamp = (method: string, response: RpcResponse) => RpcResponse

/**
 * Every result says that it is complete and which server it comes from (MCP 2026-07-28 Overview, "ResultType" and
 * "Per-response protocol fields"); lists say how long they are valid (Caching).
 */
export function stampOf({ name, version }: StampOptions): Stamp {
  const _meta = { 'io.modelcontextprotocol/serverInfo': { name, version } }
  const lists = new WeakMap<Result, Result>()

  /** Lists are constants, so each is stamped once. */
  function stampList(method: string, list: Result): Result {
    const known = lists.get(list)
    if (known) return known
    const stamped = constant({ resultType: 'complete', ...list, ...CACHING[method], _meta })
    lists.set(list, stamped)
    return stamped
  }

  return (method, response) => {
    if (!('result' in response)) return response
    const { result } = response
    const stamped =
      method !== 'tools/list' && method !== 'server/discover' && method !== 'resources/templates/list'
        ? { ...result, resultType: 'complete', ...CACHING[method], _meta }
        : stampList(method, result)
    return { ...response, result: stamped }
  }
}
