// Requests during sign-in by assistants that cannot be run here, as their issue trackers show them. All of it has to
// work.
import t from 'tap'
import { build } from '../../helper.js'
import { Assistant, assistantOf, BASE, type Fields, VERIFIER } from '../../integration/oauth/assistant.js'

const MCP = `${BASE}/mcp/v1`

/** Registrations: the client, and the members it sends besides its callbacks. */
const registrations: { who: string; redirect_uris: string[]; sent?: object }[] = [
  {
    who: 'Claude Code',
    redirect_uris: ['http://localhost:51234/callback'],
    sent: { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
  },
  {
    who: 'GitHub Copilot CLI, without any scope (dozigden/boardoil#11)',
    redirect_uris: ['http://127.0.0.1:56679/'],
    sent: { application_type: 'native', token_endpoint_auth_method: 'none' },
  },
  {
    who: 'MCP Inspector, with two callbacks',
    redirect_uris: ['http://localhost:6274/oauth/callback', 'http://localhost:6274/oauth/callback/debug'],
    sent: {
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      scope: 'vault:read vault:write',
    },
  },
  {
    who: 'LibreChat, which wants a secret by Basic (LibreChat#9705)',
    redirect_uris: ['https://chat.example/api/mcp/safes/oauth/callback'],
    sent: { token_endpoint_auth_method: 'client_secret_basic', logo_uri: undefined },
  },
  {
    who: 'Gemini CLI, which wants one in the form',
    redirect_uris: ['http://localhost:7777/oauth/callback'],
    sent: { token_endpoint_auth_method: 'client_secret_post', code_challenge_method: ['S256'] },
  },
  {
    who: 'the Python SDK (FastMCP), with the members it leaves empty',
    redirect_uris: ['http://localhost:40123/callback'],
    sent: { scope: '', client_uri: null, contacts: null, jwks: null, software_id: null, grant_types: null },
  },
  {
    who: 'VS Code, with all its callbacks and types',
    redirect_uris: ['https://vscode.dev/redirect', 'http://127.0.0.1:33418/', 'http://localhost:33418/'],
    sent: {
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
  },
]

t.test('G1, G3, G4 registrations as assistants send them', async t => {
  const app = await build(t)
  const assistant = new Assistant(app)
  for (const { who, redirect_uris, sent } of registrations) {
    const response = await assistant.register({ client_name: who, redirect_uris, ...sent })
    t.equal(response.statusCode, 201, who)
    t.match(response.json(), { redirect_uris, token_endpoint_auth_method: 'none' }, who)
    t.notOk('client_secret' in response.json() || Object.values(response.json()).includes(null), who)
  }
})

/** Authorization requests: differences from an ordinary one, and the granted access. */
const authorizations: { who: string; changes: Fields; scope?: string }[] = [
  {
    who: 'Claude Code: the origin with a slash as the resource (claude-code#52871)',
    changes: { resource: `${BASE}/` },
  },
  { who: 'a user who typed the address with a slash', changes: { resource: `${MCP}/` } },
  { who: 'clients of MCP 2025-03-26: no resource', changes: {} },
  {
    who: 'Claude Code: offline_access, whatever is advertised (claude-code#41610)',
    changes: { scope: 'vault:read offline_access' },
  },
  {
    who: 'the Python SDK: with it also prompt=consent',
    changes: { scope: 'vault:read offline_access', prompt: 'consent', access_type: 'offline' },
  },
  {
    who: 'VS Code: every scope there is, of which its user leaves out one (vscode#316235)',
    changes: { scope: 'vault:read vault:write openid profile', resource: MCP },
  },
  { who: 'a client with an empty scope', changes: { scope: '' } },
  {
    who: 'ChatGPT: an audience of its own',
    changes: { audience: MCP, nonce: 'n', display: 'popup', resource: MCP },
  },
  { who: 'Codex: a port that it did not register', changes: { redirect_uri: 'http://127.0.0.1:5/cb' } },
]

/** Token requests: parameters besides an ordinary code or refresh grant. */
const exchanges: { who: string; fields?: Fields; basic?: string }[] = [
  { who: 'Cursor: an empty secret', fields: { client_secret: '' } },
  { who: 'a client that prints what it does not have', fields: { client_secret: 'undefined' } },
  { who: 'SDK v1: the resource again', fields: { resource: MCP } },
  { who: 'Go clients: the resource with a slash', fields: { resource: `${MCP}/` } },
  { who: 'an empty resource', fields: { resource: '' } },
  { who: 'Gemini CLI: an audience', fields: { audience: MCP } },
  { who: 'the granted scope again', fields: { scope: 'vault:read' } },
  { who: 'LibreChat: Basic with an empty secret, and the client in the form', basic: '' },
  { who: 'Codex: Basic with a made-up secret, and the client in the form (codex#40928)', basic: 'none' },
]

t.test('A9, A10, A11, T13 sign-in as assistants do it', async t => {
  const app = await build(t)
  const { assistant } = await assistantOf(app, 'ada@safes.example', [
    'https://assistant.example/cb',
    'http://127.0.0.1/cb',
  ])
  for (const { who, changes } of authorizations) {
    const { redirect_uri } = changes
    const redeemed = await assistant.redeem(
      await assistant.code(changes),
      redirect_uri ? { redirect_uri } : {},
    )
    t.match(redeemed.json(), { token_type: 'Bearer', scope: 'vault:read' }, who)
    const opened = await app.inject({
      method: 'POST',
      url: '/mcp/v1',
      headers: { authorization: `Bearer ${redeemed.json().access_token}` },
      payload: { jsonrpc: '2.0', id: 1, method: 'ping' },
    })
    t.match(opened.json(), { result: {} }, `${who}: opens /mcp/v1`)
  }
  for (const { who, fields = {}, basic } of exchanges) {
    const credentials = Buffer.from(`${assistant.clientId}:${basic}`).toString('base64')
    const headers = basic === undefined ? {} : { authorization: `Basic ${credentials}` }
    const client = { client_id: assistant.clientId, ...fields }
    const code = { grant_type: 'authorization_code', code: await assistant.code(), code_verifier: VERIFIER }
    const redirect_uri = 'https://assistant.example/cb'
    const first = await assistant.form('/oauth/token', { ...code, redirect_uri, ...client }, headers)
    t.equal(first.statusCode, 200, `${who}: code`)
    const { refresh_token } = first.json()
    const second = await assistant.form(
      '/oauth/token',
      { grant_type: 'refresh_token', refresh_token, ...client },
      headers,
    )
    t.equal(second.statusCode, 200, `${who}: refresh`)
    const revocation = { token: second.json().refresh_token, token_type_hint: 'refresh_token', ...client }
    t.equal((await assistant.form('/oauth/revoke', revocation, headers)).statusCode, 200, `${who}: revoke`)
    t.equal(await assistant.works(second.json().access_token), false, `${who}: revoked`)
  }
})
