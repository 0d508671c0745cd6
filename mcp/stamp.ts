import { constant, type Result, type RpcResponse } from './json-rpc.js'

/**
 * How long clients may keep a list, and for whom (RULES N9). Tools and resources are the same for every
 * connection; the instructions depend on the Safes that the token gives access to.
 */
const ttlMs = 3_600_000
const caching: Record<string, object> = {
  'tools/list': { ttlMs, cacheScope: 'public' },
  'server/discover': { ttlMs, cacheScope: 'private' },
  'resources/list': { ttlMs, cacheScope: 'public' },
  'resources/templates/list': { ttlMs, cacheScope: 'public' },
  'resources/read': { ttlMs, cacheScope: 'public' },
}

interface StampOptions {
  name: string
  version: string
  /** Tools depend on the scope of the token. */
  hasProposals: boolean
}

/** Adds what MCP 2026-07-28 requires of a response to a method. */
export type Stamp = (method: string, response: RpcResponse) => RpcResponse

/**
 * Every result says that it is complete and which server it comes from (MCP 2026-07-28 Overview, "ResultType" and
 * "Per-response protocol fields"); lists say how long they are valid (Caching).
 */
export function stampOf({ name, version, hasProposals }: StampOptions): Stamp {
  const _meta = { 'io.modelcontextprotocol/serverInfo': { name, version } }
  const toolsCaching = hasProposals ? { ttlMs, cacheScope: 'private' } : caching['tools/list']
  const lists = new WeakMap<Result, Result>()

  const cachingOf = (method: string) => (method === 'tools/list' ? toolsCaching : caching[method])

  /** Lists are constants, so each is stamped once. */
  function stampList(method: string, list: Result): Result {
    const known = lists.get(list)
    if (known) return known
    const stamped = constant({ resultType: 'complete', ...list, ...cachingOf(method), _meta })
    lists.set(list, stamped)
    return stamped
  }

  return (method, response) => {
    if (!('result' in response)) return response
    const { result } = response
    const stamped =
      method === 'tools/call'
        ? Object.assign(result, { resultType: 'complete', _meta })
        : stampList(method, result)
    return { ...response, result: stamped }
  }
}
