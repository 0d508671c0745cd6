import type { Icon } from '@modelcontextprotocol/sdk/types.js'
import { mayPropose } from '../../domain/oauth/connections/access.js'
import type { Domain, RequestContext } from '../context.js'
import type { GraphApp } from '../graph-app.js'
import { constant, type Result } from '../json-rpc.js'
import { hasIcons, REVISIONS, STATELESS } from '../revisions/protocol-version.js'
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

/** The tools of a kind of connection, and how they are listed. */
interface OfferedTools {
  tools: ReadonlyMap<string, Tool>
  /** By revision. */
  lists: ReadonlyMap<string, Result>
  /** For clients that show MCP Apps. */
  listsWithApp: ReadonlyMap<string, Result>
}

/**
 * The tools of a connection: the three for reading, and those that its user has allowed (RULES X11). Created once,
 * so that a list is only looked up.
 */
export function openOffers(options: OfferOptions): (context: RequestContext) => OfferedTools {
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

function offerOf(tools: readonly Tool[], { names, icons, app }: OfferOptions): OfferedTools {
  const listsOf = (metaOf: (tool: Tool) => Result) => {
    const listed = (tool: Tool, revision: string) => ({
      ...tool.listed(revision),
      ...(hasIcons(revision) && { icons }),
      _meta: { ...claudeMeta(tool.name, names), ...metaOf(tool) },
    })
    return new Map(
      [...REVISIONS, STATELESS].map(revision => [
        revision,
        constant({ tools: tools.map(tool => listed(tool, revision)) }),
      ]),
    )
  }
  return {
    tools: new Map(tools.map(tool => [tool.name, tool])),
    lists: listsOf(() => ({})),
    listsWithApp: listsOf(({ name }) => (name === names.query ? app.toolMeta : {})),
  }
}

/** Search terms of people who look for their stored documents. */
const SEARCH_HINT =
  'notes note documents document files file knowledge library vault memory memories find search read look up people person projects project'
/** Maximum characters of a result that Claude Code shows its model completely. Pages have at most 38,000. */
const MAX_RESULT_SIZE = 100_000

/** Used by Claude Code 2.1.332, ignored elsewhere (docs/clients.md; RULES R8). */
function claudeMeta(name: string, { list, select, query }: ToolNames): Result {
  return {
    'anthropic/searchHint':
      name === query ? `${SEARCH_HINT} ask question remember stored who what when about the` : SEARCH_HINT,
    ...([list, select, query].includes(name) && { 'anthropic/alwaysLoad': true }),
    ...([query, 'fetch'].includes(name) && { 'anthropic/maxResultSizeChars': MAX_RESULT_SIZE }),
  }
}

/** The result of `tools/list`. */
export function listTools(
  { lists, listsWithApp }: OfferedTools,
  { revision, showsApps }: RequestContext,
): Result {
  return (showsApps ? listsWithApp : lists).get(revision) ?? { tools: [] }
}
