import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t from 'tap'
import { setUps } from '../helper.js'
import { Assistant } from './assistant.js'
import { account, decide, openBrowser, openCallback } from './browser.js'
import { listen, setUpThroughThePage } from './service.js'

const QUESTION = 'Who leads the Lens Restoration?'
const ANSWER = /Jonas Lindqvist — leads → Lens Restoration/

for (const setUp of setUps) {
  t.test(`the official MCP client signs in through Chromium and asks (${setUp})`, async t => {
    const { app, baseUrl, clock, written } = await listen(t, setUp)
    const page = await (await openBrowser(t)).newPage()
    const owner = await setUpThroughThePage(app, page)
    const safe = await app.safes.createSample(owner.id)
    const other = await app.safes.create(owner.id, 'Empty Safe')
    const callback = await openCallback(t)
    const assistant = new Assistant(callback.uri)
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp/v1`), { authProvider: assistant })
    const client = new Client({ name: 'test-assistant', version: '1.0.0' })
    const call = (name: string, args: Record<string, string> = {}) =>
      client.callTool({ name, arguments: args })

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

    const undecided = await call('svc', { query: QUESTION })
    t.equal(undecided.isError, true, 'two Safes and none selected: the assistant is told what to do')
    t.match(textOf(undecided), /svc_list_safes[\s\S]*svc_select_safe/)
    const listed = textOf(await call('svc_list_safes'))
    t.ok(listed.includes(safe.name) && listed.includes(other.name))
    await call('svc_select_safe', { safe: safe.id })
    const asked = await call('svc', { query: QUESTION })
    t.match(textOf(asked), ANSWER)
    t.match(asked.structuredContent, { safe: { id: safe.id } })

    const before = assistant.current!
    clock.now += 3601_000
    const later = await call('svc', { query: QUESTION })
    t.match(textOf(later), ANSWER, 'an hour later: the selection survives the refresh')
    const after = assistant.current!
    t.not(after.access_token, before.access_token, 'the expired access token was refreshed')
    t.not(after.refresh_token, before.refresh_token)

    clock.now += 11_000
    const reused = await refresh(baseUrl, before.refresh_token!, assistant.client!.client_id)
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
}

function textOf(result: unknown): string {
  return (result as { content: { text: string }[] }).content.map(part => part.text).join('\n')
}

async function refresh(baseUrl: string, token: string, clientId: string) {
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, client_id: clientId })
  const response = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body })
  return { status: response.status, body: await response.json() }
}
