import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ClientRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { complete } from './completion.js'
import type { Domain, RequestContext } from './context.js'
import { type GraphApp, graphApp } from './graph-app.js'
import { CODES, type Result, RpcError } from './json-rpc.js'
import { getPrompt, promptList } from './prompts.js'
import { Resources } from './resources.js'
import { STATELESS } from './revisions/protocol-version.js'
import { type ServerIdentity, serverInfoOf } from './server-info.js'
import { callTool } from './tool.js'
import { toolNames } from './tools/names.js'
import { listTools, openOffers } from './tools/offers.js'
import { CAPABILITIES, welcomeOf } from './welcome.js'

export interface ServerOptions extends ServerIdentity {
  domain: Domain
}

/** Answers the requests of one method. A result that is not a promise is sent at once. */
type Handler = (
  params: Record<string, unknown> | undefined,
  context: RequestContext,
) => Result | Promise<Result>

/** Handlers by method. All connections share them: the caller is in the context of each request (RULES X13). */
export type Handlers = ReadonlyMap<string, Handler>

/** The handlers of this process, defined on the SDK's server (ADR 7). */
export function openHandlers({ domain, ...identity }: ServerOptions): Handlers {
  const names = toolNames(identity.brand)
  const { icons, ...plainInfo } = serverInfoOf(identity)
  const app = graphApp(identity.brand, names)
  const welcome = welcomeOf({ ...plainInfo, icons }, names, domain.safes)
  const offerTo = openOffers({ domain, names, icons, app, baseUrl: identity.baseUrl })
  const handlers: Handlers = new Map<string, Handler>([
    ['ping', () => ({})],
    ['initialize', (params, context) => welcome.initialize(params, context)],
    // Earlier revisions do not have this method, and a client that probes with it must be able to fall back.
    [
      'server/discover',
      (_params, context) => {
        if (context.revision === STATELESS) return welcome.discover(context)
        throw new RpcError(CODES.methodNotFound, 'Method not found')
      },
    ],
    ['tools/list', (_params, context) => listTools(offerTo(context), context)],
    ['tools/call', (params = {}, context) => callTool(offerTo(context).tools, params, context, domain)],
    ...resourceHandlers(new Resources(identity.brand, names.query, domain), app),
    ['prompts/list', () => promptList],
    ['prompts/get', params => getPrompt(names, params)],
    ['completion/complete', (params, context) => complete(identity.brand, params, context, domain.safes)],
  ])
  defineOn(
    new Server(plainInfo, { capabilities: CAPABILITIES, jsonSchemaValidator: NO_ELICITATION }),
    handlers,
  )
  return handlers
}

/** Documents, and the page of the app for clients that show it. */
function resourceHandlers(documents: Resources, app: GraphApp): [method: string, Handler][] {
  return [
    [
      'resources/list',
      async (params, context) => {
        const page = await documents.list(params, context)
        if (!context.showsApps || params?.cursor !== undefined) return page
        return { ...page, resources: [app.resource, ...(page.resources as object[])] }
      },
    ],
    ['resources/templates/list', () => documents.templates],
    [
      'resources/read',
      (params, context) => {
        const isApp = context.showsApps && params?.uri === app.resource.uri
        return isApp ? app.contents() : documents.read(params, context)
      },
    ],
  ]
}

/** Replaces Ajv, with which the SDK would validate users' answers: they are never asked (elicitation). */
const NO_ELICITATION = {
  getValidator: () => {
    throw new Error('users are never asked by MCP')
  },
}

/** The SDK knows the methods of its revisions, and refuses a handler whose capability is not declared. */
function defineOn(server: Server, handlers: Handlers): void {
  for (const schema of ClientRequestSchema.options) {
    const handler = handlers.get(schema.shape.method.value)
    if (!handler) continue
    server.setRequestHandler(schema, ({ params }, { authInfo }) =>
      handler(params, authInfo?.extra?.context as RequestContext),
    )
  }
}
