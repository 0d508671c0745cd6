import { InitializeRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { singleSafe } from './active-safe.js'
import type { RequestContext } from './context.js'
import { UI_EXTENSION } from './graph-app.js'
import { instructions, instructionsForOneSafe } from './instructions.js'
import { CODES, constant, type Result, RpcError } from './json-rpc.js'
import { hasIcons, negotiate, STATELESS } from './revisions/protocol-version.js'
import type { ServerInfo } from './server-info.js'
import type { ToolNames } from './tools/names.js'

/** What every client may use. */
export const CAPABILITIES = { tools: {}, resources: {}, completions: {} }

/** What the server says about itself to a client that connects. */
interface Welcome {
  /** The result of `initialize`. @throws RpcError for parameters that are not valid */
  initialize(request: object, context: RequestContext): Result
  /** The result of `server/discover`. */
  discover(context: RequestContext): Result
}

/** Says what depends on the client only: whether it has one Safe, and whether it shows MCP Apps (RULES X1, N7, N14). */
export function welcomeOf({ icons, ...plainInfo }: ServerInfo, names: ToolNames): Welcome {
  const variant = (capabilities: object, text: string) => {
    const said = { capabilities, instructions: text }
    return { said, discovery: constant({ supportedVersions: [STATELESS], ...said }) }
  }
  const variants = [CAPABILITIES, { ...CAPABILITIES, extensions: { [UI_EXTENSION]: {} } }].map(
    capabilities => ({
      all: variant(capabilities, instructions(names)),
      one: variant(capabilities, instructionsForOneSafe(names)),
    }),
  )
  const [plain, withApps] = variants as [(typeof variants)[0], (typeof variants)[0]]
  const variantFor = (context: RequestContext) => {
    const { all, one } = context.showsApps ? withApps : plain
    return singleSafe(context) === null ? all : one
  }
  return {
    initialize(request, context) {
      const { success, data } = InitializeRequestSchema.safeParse(request)
      if (!success) throw new RpcError(CODES.invalidParams, 'The parameters are not valid.')
      const protocolVersion = negotiate(data.params.protocolVersion)
      const serverInfo = hasIcons(protocolVersion) ? { ...plainInfo, icons } : plainInfo
      return { protocolVersion, serverInfo, ...variantFor(context).said }
    },
    discover: context => variantFor(context).discovery,
  }
}
