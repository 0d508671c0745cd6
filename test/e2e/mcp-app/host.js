// A host of MCP Apps, as the official library makes it: it calls a tool, reads the page that the tool is
// linked to, shows it in a sandbox and forwards what the page asks for. Bundled by `mcp-app.test.ts`.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  AppBridge,
  getToolUiResourceUri,
  PostMessageTransport,
  RESOURCE_MIME_TYPE,
} from '@modelcontextprotocol/ext-apps/app-bridge'

/** What hosts allow a page that declares no domains (MCP Apps 2026-01-26, "Content Security Policy"). */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'none'"

const info = { name: 'test-host', version: '1.0.0' }

/** Asks the Safe and shows the picture of the answer in `#app`. */
window.show = async ({ url, token, mode, question, theme, hasTools = true }) => {
  const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } }
  const client = new Client(info, { versionNegotiation: { mode }, capabilities: { extensions } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  const { tools } = await client.listTools()
  const tool = tools.find(({ name }) => name === 'svc')
  const uri = getToolUiResourceUri(tool)
  const [page] = (await client.readResource({ uri })).contents

  const frame = document.createElement('iframe')
  frame.id = 'app'
  frame.width = '760'
  frame.height = '700'
  frame.sandbox = 'allow-scripts'
  frame.srcdoc = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">${page.text}`
  document.body.replaceChildren(frame)

  const capabilities = hasTools ? { serverTools: {} } : {}
  const bridge = new AppBridge(hasTools ? client : null, info, capabilities, { hostContext: { theme } })
  const isReady = new Promise(resolve => {
    bridge.oninitialized = resolve
  })
  bridge.onsizechange = ({ height }) => {
    window.heights = [...(window.heights ?? []), height]
  }
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
  await isReady
  await bridge.sendToolInput({ arguments: question })
  const result = await client.callTool({ name: 'svc', arguments: question })
  await bridge.sendToolResult(result)
  return {
    era: client.getProtocolEra(),
    capabilities: client.getServerCapabilities(),
    mimeType: page.mimeType,
  }
}
