import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../platform/common/package.js'
import { constant, type Result } from './json-rpc.js'
import { isObject } from './revisions/envelope.js'
import type { ToolNames } from './tools/names.js'

/** The extension that lets hosts show pages of a server next to its answers (MCP Apps 2026-01-26; RULES N14). */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui'
const MIME_TYPE = 'text/html;profile=mcp-app'

/** The picture of an answer, as a page that the host shows beside the answer. */
export interface GraphApp {
  /** Links the tool that answers questions to the page. */
  toolMeta: Result
  /** Its entry in `resources/list`. */
  resource: Result & { uri: string }
  /** The result of `resources/read`. Reads the page built by `npm run build`, once. */
  contents(): Result
}

/** Whether the capabilities of a client include pages of this kind (MCP Apps 2026-01-26, "Capability Negotiation"). */
export function showsApps(capabilities: unknown): boolean {
  if (!isObject(capabilities) || !isObject(capabilities.extensions)) return false
  const declared = capabilities.extensions[UI_EXTENSION]
  return isObject(declared) && Array.isArray(declared.mimeTypes) && declared.mimeTypes.includes(MIME_TYPE)
}

/** The page whose links call the tool that answers questions. */
export function graphApp(brand: string, names: ToolNames): GraphApp {
  const uri = `ui://${brand}/graph.html`
  const about = { uri, mimeType: MIME_TYPE }
  const description = 'A picture of an answer: an entity, its neighbours and how they are related.'
  let contents: Result | undefined
  const read = () => {
    const page = readFileSync(join(rootDir, 'dist', 'graph-app.html'), 'utf8')
    const text = page.replace('data-tool=""', `data-tool="${names.query}"`)
    return constant({ contents: [{ ...about, text, _meta: { ui: { prefersBorder: true } } }] })
  }
  return {
    toolMeta: { ui: { resourceUri: uri } },
    resource: { ...about, name: 'graph', title: 'Picture of an answer', description },
    contents: () => {
      contents ??= read()
      return contents
    },
  }
}
