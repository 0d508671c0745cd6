import { InitializeRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Safes } from '../domain/safes/safes.js'
import { readableSafes, singleSafe } from './active-safe.js'
import type { RequestContext } from './context.js'
import { UI_EXTENSION } from './graph-app.js'
import { instructions, MAX_NAMED } from './instructions.js'
import { CODES, constant, type Result, RpcError } from './json-rpc.js'
import { hasIcons, negotiate, STATELESS } from './revisions/protocol-version.js'
import type { ServerInfo } from './server-info.js'
import type { ToolNames } from './tools/names.js'

/** The capabilities offered to every client. */
export const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} }

/** The server's introduction to a client that connects. */
interface Welcome {
  /** The result of `initialize`. @throws RpcError for parameters that are not valid */
  initialize(params: object | undefined, context: RequestContext): Promise<Result>
  /** The result of `server/discover`. It names no Safes, so that clients may cache it (RULES N9). */
  discover(context: RequestContext): Result
}

/** Depends on whether the connection has one Safe and whether its client shows MCP Apps (RULES X1, N7, N14). */
export function welcomeOf({ icons, ...plainInfo }: ServerInfo, names: ToolNames, safes: Safes): Welcome {
  const variants = [CAPABILITIES, { ...CAPABILITIES, extensions: { [UI_EXTENSION]: {} } }].map(
    capabilities => {
      const discovery = (hasOneSafe: boolean) =>
        constant({
          supportedVersions: [STATELESS],
          capabilities,
          instructions: instructions(names, hasOneSafe),
        })
      return { capabilities, all: discovery(false), one: discovery(true) }
    },
  )
  const [plain, withApps] = variants as [(typeof variants)[0], (typeof variants)[0]]
  return {
    async initialize(params, context) {
      const { success, data } = InitializeRequestSchema.safeParse({ method: 'initialize', params })
      if (!success) throw new RpcError(CODES.invalidParams, 'The parameters are not valid.')
      const protocolVersion = negotiate(data.params.protocolVersion)
      const readable = await readableSafes(context, safes, { limit: MAX_NAMED + 1, patienceMs: 0 })
      return {
        protocolVersion,
        serverInfo: hasIcons(protocolVersion) ? { ...plainInfo, icons } : plainInfo,
        capabilities: (context.showsApps ? withApps : plain).capabilities,
        instructions: instructions(
          names,
          singleSafe(context) !== null,
          readable.map(({ name }) => name),
        ),
      }
    },
    discover(context) {
      const { all, one } = context.showsApps ? withApps : plain
      return singleSafe(context) === null ? all : one
    },
  }
}
