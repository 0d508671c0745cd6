// Requests to the MCP endpoint by assistants that cannot be run here, as their issue trackers show them. All of it has
// to work, or fail so that they can continue.
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { buildService } from '../../integration/mcp/service.js'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

function posted(message: object, headers: Record<string, string> = {}): InjectOptions {
  return {
    method: 'POST',
    url: '/mcp/v1',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  }
}

const initialize = (protocolVersion: string, more: object = {}) => ({
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' }, ...more },
})
const call = (name: string, more: object = {}) => ({ method: 'tools/call', params: { name, ...more } })
const tools = { result: { tools: [{}, {}, {}] } }
const safes = { result: { isError: undefined, content: [{ text: /Garden/ }] } }

/** Requests to the MCP endpoint with a valid token, and the expected answers. */
const requests: { who: string; sent: InjectOptions; status?: number; body?: object }[] = [
  {
    who: 'Accept: text/event-stream (claude-code#45368)',
    sent: posted({ method: 'tools/list' }, { accept: 'text/event-stream' }),
    body: tools,
  },
  {
    who: 'an address with a slash at its end',
    sent: { ...posted({ method: 'tools/list' }), url: '/mcp/v1/' },
    body: tools,
  },
  {
    who: 'Cursor: a stream to listen to',
    sent: { url: '/mcp/v1', headers: { accept: 'text/event-stream' } },
    status: 405,
  },
  { who: 'LiteLLM: HEAD first', sent: { method: 'HEAD', url: '/mcp/v1' }, status: 405 },
  {
    who: 'an old client: SSE first',
    sent: { url: '/mcp/v1/sse', headers: { accept: 'text/event-stream' } },
    status: 401,
  },
  {
    who: 'the revision in a header of initialize',
    sent: posted(initialize('2025-11-25'), { 'mcp-protocol-version': '2025-11-25' }),
    body: { result: { protocolVersion: '2025-11-25' } },
  },
  {
    who: 'a revision from before there was this transport',
    sent: posted(initialize('2024-11-05', { capabilities: { roots: { listChanged: true }, sampling: {} } })),
    body: {
      result: {
        protocolVersion: '2025-03-26',
        capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      },
    },
  },
  {
    who: 'VS Code: what a client can, in many words',
    sent: posted(
      initialize('2025-11-25', {
        capabilities: { elicitation: { form: {}, url: {} }, tasks: { list: {} }, extensions: {} },
        clientInfo: {
          name: 'Visual Studio Code',
          version: '1',
          title: 'VS Code',
          icons: [],
          websiteUrl: 'https://a.example',
        },
      }),
    ),
    body: { result: { protocolVersion: '2025-11-25' } },
  },
  {
    who: 'what is not advertised is tried all the same',
    sent: posted({ method: 'logging/setLevel', params: { level: 'info' } }),
    body: { error: { code: -32601 } },
  },
  {
    who: 'tools/list with a progress token',
    sent: posted({ method: 'tools/list', params: { _meta: { progressToken: 0 } } }),
    body: tools,
  },
  { who: 'Cline: no arguments (cline#10553)', sent: posted(call('svc_list_safes')), body: safes },
  {
    who: 'ChatGPT: metadata of its own beside the arguments',
    sent: posted(
      call('svc_list_safes', { arguments: {}, _meta: { 'openai/locale': 'en', 'openai/userAgent': 'x' } }),
    ),
    body: safes,
  },
  {
    who: 'a client of the next revision: its headers on an ordinary call',
    sent: posted(call('svc_list_safes', { arguments: {} }), {
      'mcp-method': 'tools/call',
      'mcp-name': 'svc_list_safes',
    }),
    body: safes,
  },
  {
    who: 'Cline: an argument of its own (cline#8256)',
    sent: posted(call('svc_list_safes', { arguments: { task_progress: '- [x] listed' } })),
    body: safes,
  },
  {
    who: 'a server’s prefix on the name of a tool',
    sent: posted(call('mcp_svc_svc_list_safes', { arguments: {} })),
    body: { error: { code: -32602 } },
  },
]

t.test('X1, X2, X4, X6, X8, X12 MCP as assistants speak it', async t => {
  const { app, ann, issue } = await buildService(t)
  const { accessToken } = await issue(ann)
  const authorized = (sent: InjectOptions) =>
    app.inject({ ...sent, headers: { ...sent.headers, ...bearer(accessToken) } })
  for (const { who, sent, status = 200, body } of requests) {
    const response = await authorized(sent)
    t.equal(response.statusCode, status, who)
    if (body) t.match(response.json(), { jsonrpc: '2.0', ...body }, who)
    if (status === 405) t.equal(response.headers.allow, 'POST, DELETE', who)

    const stranger = await app.inject(sent)
    t.equal(stranger.statusCode, 401, `${who}: only with a token`)
    t.match(stranger.headers['www-authenticate'], /resource_metadata="https:\S+", scope="vault:read"$/, who)
  }

  const opened = await authorized(posted(initialize('2025-06-18')))
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) }
  const revision = { 'mcp-protocol-version': '2025-06-18' }
  await authorized({ method: 'DELETE', url: '/mcp/v1', headers: { ...session, ...revision } })
  const late = await authorized(posted({ method: 'ping' }, { ...session, ...revision }))
  t.equal(late.statusCode, 404, 'and on a session that is over it is told to initialize again')
  const again = await authorized(posted(initialize('2025-06-18'), session))
  t.equal(again.statusCode, 200, 'Claude Desktop does so with the old session in the header')
})
