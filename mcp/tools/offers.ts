import type { Icon } from '@modelcontextprotocol/sdk/types.js'
import { mayPropose } from '../../oauth/connections/access.js'
import type { Domain, RequestContext } from '../context.js'
import { isObject } from '../envelope.js'
import type { GraphApp } from '../graph-app.js'
import { codes, constant, type Result, RpcError } from '../json-rpc.js'
import { hasIcons, revisions, STATELESS } from '../protocol-version.js'
import type { Tool } from '../tool.js'
import { fetchDocument } from './fetch-document.js'
import { listSafes } from './list-safes.js'
import type { ToolNames } from './names.js'
import { propose } from './propose.js'
import { querySafe } from './query-safe.js'
import { searchSafes } from './search-safes.js'
import { selectSafe } from './select-safe.js'

interface OfferOptions {
  domain: Domain
  names: ToolNames
  baseUrl: string
  icons: readonly Icon[]
  app: GraphApp
}

/** The tools of some connections, and how they are listed. */
interface Offer {
  tools: ReadonlyMap<string, Tool>
  /** By revision. */
  lists: ReadonlyMap<string, Result>
  /** For clients that show MCP Apps. */
  listsWithApp: ReadonlyMap<string, Result>
}

/**
 * Which tools a connection is offered: the three that read, with those that its user has given it (RULES X11). Made once,
 * so that a list is only looked up.
 */
export function openOffers(options: OfferOptions): (context: RequestContext) => Offer {
  const { domain, names, baseUrl } = options
  const readers = [listSafes(names), selectSafe(names), querySafe(names)]
  const reviewUrl = (safeId: string, id: string) => `${baseUrl}/safes/${safeId}/proposals/${id}`
  const proposers = domain.proposals ? [propose(names, domain.proposals, reviewUrl)] : []
  const searchers = [searchSafes(baseUrl), fetchDocument(baseUrl)]
  const offer = (...tools: Tool[][]) => offerOf(tools.flat(), options)
  const toAll = { proposing: offer(readers, proposers), reading: offer(readers) }
  const toSearchers = {
    proposing: offer(readers, proposers, searchers),
    reading: offer(readers, searchers),
  }
  return ({ access }) => {
    const { proposing, reading } = access.hasSearch ? toSearchers : toAll
    return mayPropose(access) ? proposing : reading
  }
}

function offerOf(tools: readonly Tool[], { names, icons, app }: OfferOptions): Offer {
  const listsOf = (metaOf: (tool: Tool) => Result) => {
    const listed = (tool: Tool, revision: string) => ({
      ...tool.listed(revision),
      ...(hasIcons(revision) && { icons }),
      ...metaOf(tool),
    })
    return new Map(
      [...revisions, STATELESS].map(revision => [
        revision,
        constant({ tools: tools.map(tool => listed(tool, revision)) }),
      ]),
    )
  }
  return {
    tools: new Map(tools.map(tool => [tool.name, tool])),
    lists: listsOf(() => ({})),
    listsWithApp: listsOf(({ name }) => (name === names.query ? { _meta: app.toolMeta } : {})),
  }
}

/** The result of `tools/list`. */
export function listTools({ lists, listsWithApp }: Offer, { revision, showsApps }: RequestContext): Result {
  return (showsApps ? listsWithApp : lists).get(revision) ?? { tools: [] }
}

/** The result of `tools/call`. @throws RpcError if no such tool is offered, and internal errors */
export function callTool(
  { tools }: Offer,
  { name, arguments: args = {} }: Record<string, unknown>,
  context: RequestContext,
  domain: Domain,
): Promise<Result> {
  if (typeof name !== 'string' || !isObject(args)) {
    throw new RpcError(codes.invalidParams, '"name" must be a string and "arguments" an object.')
  }
  const tool = tools.get(name)
  if (!tool) {
    const known = [...tools.keys()].join(', ')
    throw new RpcError(codes.invalidParams, `There is no such tool. The tools are ${known}.`)
  }
  return tool.call(args, context, domain)
}
