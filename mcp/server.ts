import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { InitializeRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Bridge } from './bridge.js'
import type { Domain, RequestContext } from './context.js'
import { isObject } from './envelope.js'
import { instructions, instructionsForOneSafe } from './instructions.js'
import { codes, constant, type Result, RpcError } from './json-rpc.js'
import { hasIcons, negotiate, revisions, STATELESS } from './protocol-version.js'
import { type Identity, serverInfoOf } from './server-info.js'
import type { Tool } from './tool.js'
import { listSafes } from './tools/list-safes.js'
import { toolNames } from './tools/names.js'
import { querySafe } from './tools/query-safe.js'
import { selectSafe } from './tools/select-safe.js'

export interface ServerOptions extends Identity {
  domain: Domain
}

/**
 * Connects the MCP server of this process to its bridge. All connections share it, so it holds no client
 * state: the caller is in the context of each request (RULES X13).
 */
export async function connectServer(bridge: Bridge, { domain, ...identity }: ServerOptions): Promise<void> {
  const names = toolNames(identity.brand)
  const { icons, ...plainInfo } = serverInfoOf(identity)
  const serverInfo = (revision: string) => (hasIcons(revision) ? { ...plainInfo, icons } : plainInfo)
  const capabilities = { tools: {} }
  const server = new Server(plainInfo, { capabilities })

  const welcomeToAll = { capabilities, instructions: instructions(names) }
  const welcomeToOne = { capabilities, instructions: instructionsForOneSafe(names) }
  server.setRequestHandler(
    InitializeRequestSchema,
    bridge.guard(({ params }, { onlySafeId }) => {
      const protocolVersion = negotiate(params.protocolVersion)
      const welcome = onlySafeId === null ? welcomeToAll : welcomeToOne
      return { protocolVersion, serverInfo: serverInfo(protocolVersion), ...welcome }
    }),
  )
  const discoveryOfAll = constant({ supportedVersions: [STATELESS], ...welcomeToAll })
  const discoveryOfOne = constant({ supportedVersions: [STATELESS], ...welcomeToOne })

  const tools = new Map<string, Tool>()
  for (const tool of [listSafes(names), selectSafe(names), querySafe(names)]) tools.set(tool.name, tool)
  const lists = new Map<string, Result>()
  for (const revision of [...revisions, STATELESS]) {
    const extra = hasIcons(revision) ? { icons } : {}
    const listed = [...tools.values()].map(tool => ({ ...tool.listed(revision), ...extra }))
    lists.set(revision, constant({ tools: listed }))
  }
  const methods = new Map<string, Method>([
    ['ping', () => ({})],
    ['server/discover', (_params, { onlySafeId }) => (onlySafeId === null ? discoveryOfAll : discoveryOfOne)],
    ['tools/list', (_params, { revision }) => lists.get(revision) ?? { tools: [] }],
    ['tools/call', (params, context) => callTool(tools, params, context, domain)],
  ])
  // Frequent methods bypass the SDK's schemas, which would validate calls and copy results again. The schemas
  // of the tools already do this.
  server.removeRequestHandler('ping')
  server.fallbackRequestHandler = bridge.guard(({ method, params }, context) => {
    const { revision } = context
    const handle = methods.get(method)
    // Earlier revisions do not have this method, and a client that probes with it must be able to fall back.
    const isTooNew = method === 'server/discover' && revision !== STATELESS
    if (!handle || isTooNew) throw new RpcError(codes.methodNotFound, 'Method not found')
    return handle(params ?? {}, context)
  })
  await server.connect(bridge)
}

type Method = (params: Record<string, unknown>, context: RequestContext) => Result | Promise<Result>

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
