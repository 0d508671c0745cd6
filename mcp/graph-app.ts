import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../common/package.js'
import { codes, constant, type Result, RpcError } from './json-rpc.js'
import { STATELESS } from './protocol-version.js'
import type { ToolNames } from './tools/names.js'

/** The extension that lets hosts show pages of a server beside its answers (MCP Apps 2026-01-26; RULES N14). */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui'
const MIME_TYPE = 'text/html;profile=mcp-app'

/** "Resource not found" in revisions before 2026-07-28, which reserves the code (RULES N10). */
const RESOURCE_NOT_FOUND = -32002

/** The picture of an answer, as a page that a host shows beside it. */
export interface GraphApp {
  /** Links the tool that answers questions to the page. */
  toolMeta: Result
  list: Result
  templates: Result
  /** The result of `resources/read`. @throws RpcError for any other address */
  read(params: Record<string, unknown> | undefined, revision: string): Result
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
    list: constant({ resources: [{ ...about, name: 'graph', title: 'Picture of an answer', description }] }),
    templates: constant({ resourceTemplates: [] }),
    read(params, revision) {
      const asked = params?.uri
      if (asked === uri) return contents
      if (typeof asked !== 'string') throw new RpcError(codes.invalidParams, '"uri" must be a string.')
      const code = revision === STATELESS ? codes.invalidParams : RESOURCE_NOT_FOUND
      throw new RpcError(code, 'Resource not found', 200, { uri: asked })
    },
  }
}
