import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t from 'tap'
import { Assistant } from './assistant.js'
import { account, decide, openCallback } from './browser.js'
import { ask, type CallTool, converse, QUESTION, refreshByHand } from './conversation.js'
import { listenWithSafes } from './service.js'

t.test('the official MCP client signs in through Chromium and asks', async t => {
  const { app, baseUrl, clock, written, page, owner, safe, other } = await listenWithSafes(t)
  const callback = await openCallback(t)
  const assistant = new Assistant(callback.uri)
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp/v1`), { authProvider: assistant })
  const client = new Client({ name: 'test-assistant', version: '1.0.0' })
  const call: CallTool = (name, args = {}) => client.callTool({ name, arguments: args })

  const stranger = new Client({ name: 'test-assistant', version: '1.0.0' })
  const refused = await stranger.connect(transport() as never).catch(error => error)
  t.ok(refused instanceof UnauthorizedError, 'an unknown assistant has to ask its user first')
  await decide(page, assistant.authorizationUrl!)
  const answer = await callback.received
  t.equal(answer.searchParams.get('state'), 'state of the test assistant')
  t.equal(answer.searchParams.get('iss'), baseUrl)
  await transport().finishAuth(answer.searchParams.get('code')!)
  t.match(assistant.current, { token_type: 'Bearer', expires_in: 3600, scope: 'vault:read' })

  await client.connect(transport() as never)
  t.teardown(() => client.close())
  t.match(client.getServerVersion(), { name: 'svc' })
  const { tools } = await client.listTools()
  t.same(tools.map(tool => tool.name).sort(), ['svc', 'svc_list_safes', 'svc_select_safe'])

  await converse(t, call, safe, other)
  const asked = await call('svc', { query: QUESTION })
  t.match(asked, { structuredContent: { safe: { id: safe.id } } })

  const before = assistant.current!
  clock.now += 3601_000
  await ask(t, call, 'an hour later: the selection survives the refresh')
  const after = assistant.current!
  t.not(after.access_token, before.access_token, 'the expired access token was refreshed')
  t.not(after.refresh_token, before.refresh_token)

  clock.now += 11_000
  const reused = await refreshByHand(baseUrl, before.refresh_token!, assistant.client!.client_id)
  t.match(reused, { status: 400, body: { error: 'invalid_grant' } }, 'the old refresh token is refused')
  await t.rejects(call('svc', { query: QUESTION }), 'and its second use ended the connection')
  const [connection] = await app.oauth.connections.listFor(owner.id)
  t.match(connection, { clientName: 'Test assistant', revokedReason: /.{20}/ })

  await t.test('S1 no secret of the flow is in the log or in a store', async t => {
    const text = await written()
    const { searchParams } = answer
    const secrets = {
      code: searchParams.get('code')!,
      state: encodeURIComponent(searchParams.get('state')!),
      accessToken: before.access_token,
      refreshToken: before.refresh_token!,
      nextAccessToken: after.access_token,
      nextRefreshToken: after.refresh_token!,
      verifier: assistant.codeVerifier(),
      password: account.password,
    }
    for (const [name, secret] of Object.entries(secrets)) t.notOk(text.includes(secret), name)
    t.ok(text.includes('"path":"/oauth/token"') && text.includes(safe.id), 'log and stores were looked at')
  })
})
