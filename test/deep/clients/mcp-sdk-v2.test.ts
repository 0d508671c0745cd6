import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import { Assistant } from '../../e2e/assistant.js'
import { decide, openCallback } from '../../e2e/browser.js'
import { ask, type CallTool, converse, refreshByHand } from '../../e2e/conversation.js'
import { type Household, listenWithSafes } from '../../e2e/service.js'

/** A document that ships with the service, and allows any port of loopback. */
const CLAUDE_CODE = 'https://claude.ai/oauth/claude-code-client-metadata'

const info = { name: 'test-assistant', version: '2.0.0' }

const handshake = ['initialize', 'notifications/initialized']
/** How a client detects the revision: its first request, and its later ones. */
const modes: [name: string, VersionNegotiationMode, sent: string[], era: string, revision: string][] = [
  ['legacy', 'legacy', handshake, 'legacy', '2025-11-25'],
  ['auto', 'auto', ['server/discover'], 'modern', '2026-07-28'],
  ['pinned', { pin: '2026-07-28' }, ['server/discover'], 'modern', '2026-07-28'],
]

for (const [name, mode, sent, era, revision] of modes) {
  for (const document of name === 'auto' ? [undefined, CLAUDE_CODE] : [undefined]) {
    const by = document ? 'by its document' : 'registered'
    t.test(`N16 the official MCP client, version 2, goes the whole way (${name}, ${by})`, async t => {
      const household = await listenWithSafes(t)
      const { clock, safe, other, baseUrl } = household
      const { assistant, open, methods } = await signIn(t, household, document)
      t.match(assistant.client?.client_id, document ?? /^svc_client_/)

      const client = new Client(info, { versionNegotiation: { mode } })
      const transport = open()
      await client.connect(transport)
      t.same(methods, sent)
      t.equal(client.getProtocolEra(), era)
      t.equal(client.getNegotiatedProtocolVersion(), revision)
      t.match(client.getServerVersion(), { name: 'svc' })
      t.match(client.getInstructions(), /svc_select_safe/)
      t.equal(transport.sessionId === undefined, era === 'modern', 'a session only before 2026-07-28')

      const { tools } = await client.listTools()
      t.same(tools.map(tool => tool.name).sort(), ['svc', 'svc_list_safes', 'svc_select_safe'])
      const call: CallTool = (name, args = {}) => client.callTool({ name, arguments: args })
      await converse(t, call, safe, other)

      const before = assistant.current!
      clock.now += 3601_000
      await ask(t, call, 'an hour later: the selection survives the refresh')
      const after = assistant.current!
      t.not(after.access_token, before.access_token)
      const racing = await refreshByHand(baseUrl, before.refresh_token!, assistant.client!.client_id)
      t.match(racing, { status: 400, body: { error: 'invalid_grant' } })
      await ask(t, call, 'a repeat within ten seconds is refused and ends nothing')

      const { sessionId } = transport
      await transport.terminateSession()
      await client.close()
      if (sessionId !== undefined) {
        const late = await open(sessionId)
          .send({ jsonrpc: '2.0', id: 1, method: 'ping' })
          .catch(error => error)
        t.match(late, { data: { status: 404 } }, 'its session is over')
      }

      await endOnThePage(household)
      const ended = await new Client(info, { versionNegotiation: { mode } })
        .connect(open())
        .catch(error => error)
      t.ok(ended instanceof UnauthorizedError, 'its user has ended the connection, so it asks them again')
      t.equal(assistant.current, undefined, 'it has put the dead tokens away')
    })
  }
}

t.test(
  `N6, N16 the official MCP client, version 2, pinned to a revision not spoken here, says so`,
  async t => {
    const { open, methods } = await signIn(t, await listenWithSafes(t))
    const client = new Client(info, { versionNegotiation: { mode: { pin: '2027-01-01' } } })
    await t.rejects(client.connect(open()), {
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '2027-01-01' },
    })
    t.same(methods, ['server/discover'], 'and leaves it at that')
  },
)

/**
 * An assistant that its user has connected, and the function that opens its transports; `methods` are those it has sent
 * since.
 */
async function signIn(t: Test, { baseUrl, page }: Household, document?: string) {
  const callback = await openCallback(t)
  const assistant = new Assistant(callback.uri, document)
  const methods: string[] = []
  const open = (sessionId?: string) =>
    new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp/v1`), {
      authProvider: assistant,
      ...(sessionId && { sessionId }),
      fetch: (url, init) => {
        if (new URL(url).pathname === '/mcp/v1' && init?.body)
          methods.push(JSON.parse(String(init.body)).method)
        return fetch(url, init)
      },
    })
  const stranger = await new Client(info).connect(open()).catch(error => error)
  t.ok(stranger instanceof UnauthorizedError, 'an unknown assistant has to ask its user first')
  await decide(page, assistant.authorizationUrl!)
  // The whole answer, so that it also checks `iss` (RFC 9207) and `state`.
  await open().finishAuth((await callback.received).searchParams)
  t.match(assistant.current, { token_type: 'Bearer', expires_in: 3600, scope: 'vault:read' })
  methods.length = 0
  return { assistant, open, methods }
}

async function endOnThePage({ baseUrl, page }: Household) {
  await page.goto(`${baseUrl}/connections`)
  await page.click('main form[action$="/revoke"] button')
}
