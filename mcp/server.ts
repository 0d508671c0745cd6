import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  InitializeRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { mayPropose } from '../oauth/connections/access.js'
import { singleSafe } from './active-safe.js'
import type { Domain, RequestContext } from './context.js'
import { isObject } from './envelope.js'
import { openGraphApp, UI_EXTENSION } from './graph-app.js'
import { instructions, instructionsForOneSafe } from './instructions.js'
import { codes, constant, type Result, RpcError } from './json-rpc.js'
import { hasIcons, negotiate, revisions, STATELESS } from './protocol-version.js'
import { type HandlerExtra, RecordingServer } from './recording-server.js'
import { openResources } from './resources.js'
import { type Identity, serverInfoOf } from './server-info.js'
import type { Tool } from './tool.js'
import { fetchDocument } from './tools/fetch-document.js'
import { listSafes } from './tools/list-safes.js'
import { toolNames } from './tools/names.js'
import { propose } from './tools/propose.js'
import { querySafe } from './tools/query-safe.js'
import { searchSafes } from './tools/search-safes.js'
import { selectSafe } from './tools/select-safe.js'

export interface ServerOptions extends Identity {
  domain: Domain
  /** Whether answers are linked to a page that shows them as a picture (MCP Apps). */
  hasApps?: boolean
}

/**
 * The MCP server of this process. All connections share it, so it holds no client state: the caller is in the
 * context of each request (RULES X13).
 */
export function openServer({ domain, hasApps, ...identity }: ServerOptions): RecordingServer {
  const names = toolNames(identity.brand)
  const { icons, ...plainInfo } = serverInfoOf(identity)
  const serverInfo = (revision: string) => (hasIcons(revision) ? { ...plainInfo, icons } : plainInfo)
  const app = hasApps ? openGraphApp(identity.brand, names) : null
  const documents = openResources(identity.brand, names.query, domain)
  const served = { tools: {}, resources: {}, completions: {} }
  const capabilities = app ? { ...served, extensions: { [UI_EXTENSION]: {} } } : served
  const server = new RecordingServer(plainInfo, { capabilities })

  const welcomeToAll = { capabilities, instructions: instructions(names) }
  const welcomeToOne = { capabilities, instructions: instructionsForOneSafe(names) }
  server.handle(InitializeRequestSchema, (request, extra) => {
    const { success, data } = InitializeRequestSchema.safeParse(request)
    if (!success) throw new RpcError(codes.invalidParams, 'The parameters are not valid.')
    const protocolVersion = negotiate(data.params.protocolVersion)
    const welcome = singleSafe(contextOf(extra)) === null ? welcomeToAll : welcomeToOne
    return { protocolVersion, serverInfo: serverInfo(protocolVersion), ...welcome }
  })

  /** The tools of some connections, and how they are listed in each revision. */
  const offer = (offered: readonly Tool[]) => {
    const tools = new Map(offered.map(tool => [tool.name, tool]))
    const lists = new Map<string, Result>()
    for (const revision of [...revisions, STATELESS]) {
      const extra = hasIcons(revision) ? { icons } : {}
      const listed = offered.map(tool => ({
        ...tool.listed(revision),
        ...extra,
        ...(app && tool.name === names.query ? { _meta: app.toolMeta } : {}),
      }))
      lists.set(revision, constant({ tools: listed }))
    }
    return { tools, lists }
  }
  const readers = [listSafes(names), selectSafe(names), querySafe(names)]
  const proposers = domain.proposals ? [propose(names, domain.proposals, reviewUrlOf(identity.baseUrl))] : []
  const searchers = [searchSafes(identity.baseUrl), fetchDocument(identity.baseUrl)]
  const toAll = { proposing: offer([...readers, ...proposers]), reading: offer(readers) }
  const toSearchers = {
    proposing: offer([...readers, ...proposers, ...searchers]),
    reading: offer([...readers, ...searchers]),
  }
  const offeredTo = ({ access }: RequestContext) => {
    const { proposing, reading } = access.hasSearch ? toSearchers : toAll
    return mayPropose(access) ? proposing : reading
  }
  server.handle(ListToolsRequestSchema, (_request, extra) => {
    const context = contextOf(extra)
    return offeredTo(context).lists.get(context.revision) ?? { tools: [] }
  })
  server.handle(CallToolRequestSchema, ({ params = {} }, extra) => {
    const context = contextOf(extra)
    return callTool(offeredTo(context).tools, params, context, domain)
  })

  server.handle(ListResourcesRequestSchema, async ({ params }, extra) => {
    const page = await documents.list(params, contextOf(extra))
    if (!app || params?.cursor !== undefined) return page
    return { ...page, resources: [app.resource, ...(page.resources as object[])] }
  })
  server.handle(ListResourceTemplatesRequestSchema, () => documents.templates)
  server.handle(ReadResourceRequestSchema, ({ params }, extra) =>
    app && params?.uri === app.resource.uri ? app.contents : documents.read(params, contextOf(extra)),
  )
  server.handle(CompleteRequestSchema, ({ params }, extra) => documents.complete(params, contextOf(extra)))

  const discoveryOfAll = constant({ supportedVersions: [STATELESS], ...welcomeToAll })
  const discoveryOfOne = constant({ supportedVersions: [STATELESS], ...welcomeToOne })
  // `server/discover` has no schema in version 1 of the SDK. Earlier revisions do not have this method, and a
  // client that probes with it must be able to fall back.
  server.fallbackRequestHandler = async ({ method }, extra) => {
    const context = contextOf(extra as unknown as HandlerExtra)
    if (method !== 'server/discover' || context.revision !== STATELESS)
      throw new RpcError(codes.methodNotFound, 'Method not found')
    return singleSafe(context) === null ? discoveryOfAll : discoveryOfOne
  }
  return server
}

/** The page on which an owner reviews a proposal. */
const reviewUrlOf = (baseUrl: string) => (safeId: string, id: string) =>
  `${baseUrl}/safes/${safeId}/proposals/${id}`

const contextOf = ({ authInfo }: HandlerExtra): RequestContext => authInfo.extra.context

function callTool(
  tools: ReadonlyMap<string, Tool>,
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
