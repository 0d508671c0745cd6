import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  InitializeRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { complete } from './completion.js'
import type { Domain, RequestContext } from './context.js'
import { type GraphApp, graphApp } from './graph-app.js'
import { CODES, RpcError } from './json-rpc.js'
import { type HandlerExtra, NO_ELICITATION, RecordingServer } from './recording-server.js'
import { Resources } from './resources.js'
import { STATELESS } from './revisions/protocol-version.js'
import { type Identity, serverInfoOf } from './server-info.js'
import { callTool } from './tool.js'
import { toolNames } from './tools/names.js'
import { listTools, openOffers } from './tools/offers.js'
import { CAPABILITIES, welcomeOf } from './welcome.js'

export interface ServerOptions extends Identity {
  domain: Domain
}

/**
 * The MCP server of this process. All connections share it, so it holds no client state: the caller is in the
 * context of each request (RULES X13).
 */
export function openServer({ domain, ...identity }: ServerOptions): RecordingServer {
  const names = toolNames(identity.brand)
  const { icons, ...plainInfo } = serverInfoOf(identity)
  const app = graphApp(identity.brand, names)
  const server = new RecordingServer(plainInfo, {
    capabilities: CAPABILITIES,
    jsonSchemaValidator: NO_ELICITATION,
  })

  const welcome = welcomeOf({ ...plainInfo, icons }, names, domain.safes)
  server.handle(InitializeRequestSchema, (request, extra) => welcome.initialize(request, contextOf(extra)))
  // `server/discover` has no schema in version 1 of the SDK. Earlier revisions do not have this method, and a
  // client that probes with it must be able to fall back.
  server.fallbackRequestHandler = async ({ method }, extra) => {
    const context = contextOf(extra as unknown as HandlerExtra)
    if (method !== 'server/discover' || context.revision !== STATELESS)
      throw new RpcError(CODES.methodNotFound, 'Method not found')
    return welcome.discover(context)
  }

  const offerTo = openOffers({ domain, names, icons, app, baseUrl: identity.baseUrl })
  server.handle(ListToolsRequestSchema, (_request, extra) => {
    const context = contextOf(extra)
    return listTools(offerTo(context), context)
  })
  server.handle(CallToolRequestSchema, ({ params = {} }, extra) => {
    const context = contextOf(extra)
    return callTool(offerTo(context).tools, params, context, domain)
  })
  handleResources(server, new Resources(identity.brand, names.query, domain), app)
  server.handle(CompleteRequestSchema, ({ params }, extra) =>
    complete(identity.brand, params, contextOf(extra), domain.safes),
  )
  return server
}

/** Documents, and the page of the app for those who show it. */
function handleResources(server: RecordingServer, documents: Resources, app: GraphApp): void {
  server.handle(ListResourcesRequestSchema, async ({ params }, extra) => {
    const context = contextOf(extra)
    const page = await documents.list(params, context)
    if (!context.showsApps || params?.cursor !== undefined) return page
    return { ...page, resources: [app.resource, ...(page.resources as object[])] }
  })
  server.handle(ListResourceTemplatesRequestSchema, () => documents.templates)
  server.handle(ReadResourceRequestSchema, ({ params }, extra) => {
    const context = contextOf(extra)
    const isApp = context.showsApps && params?.uri === app.resource.uri
    return isApp ? app.contents() : documents.read(params, context)
  })
}

const contextOf = ({ authInfo }: HandlerExtra): RequestContext => authInfo.extra.context
