import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../common/package.js'
import { constant, type Result } from './json-rpc.js'
import type { ToolNames } from './tools/names.js'

/** The extension that lets hosts show pages of a server beside its answers (MCP Apps 2026-01-26; RULES N14). */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui'
const MIME_TYPE = 'text/html;profile=mcp-app'

/** The picture of an answer, as a page that a host shows beside it. */
export interface GraphApp {
  /** Links the tool that answers questions to the page. */
  toolMeta: Result
  /** Its entry in `resources/list`. */
  resource: Result & { uri: string }
  /** The result of `resources/read`. */
  contents: Result
}

/** Reads the page that `npm run build` has made, so call it once. */
export function openGraphApp(brand: string, names: ToolNames): GraphApp {
  const uri = `ui://${brand}/graph.html`
  const page = readFileSync(join(rootDir, 'dist', 'graph-app.html'), 'utf8')
  const text = page.replace('data-tool=""', `data-tool="${names.query}"`)
  const about = { uri, mimeType: MIME_TYPE }
  const description = 'A picture of an answer: an entity, its neighbours and how they are related.'
  const contents = constant({ contents: [{ ...about, text, _meta: { ui: { prefersBorder: true } } }] })
  return {
    toolMeta: { ui: { resourceUri: uri } },
    resource: { ...about, name: 'graph', title: 'Picture of an answer', description },
    contents,
  }
}
