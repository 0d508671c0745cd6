import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t from 'tap'
import { setUps } from '../../helper.js'
import { buildService, fill } from './service.js'

for (const setUp of setUps) {
  t.test(`the official SDK client initializes, lists and calls the tools (${setUp})`, async t => {
    const { app, ann, harbour, issue } = await buildService(t, { setUp })
    await fill(app, ann, harbour)
    const { accessToken } = await issue(ann)
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const transport = new StreamableHTTPClientTransport(new URL('/mcp/v1', address), {
      requestInit: { headers: { authorization: `Bearer ${accessToken}` } },
    })
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(transport as never)
    t.match(client.getServerVersion(), { name: 'svc' })
    t.same(client.getServerCapabilities(), { tools: {} })
    t.ok(client.getInstructions())
    t.ok(transport.sessionId)

    const { tools } = await client.listTools()
    t.same(
      tools.map(tool => tool.name),
      ['svc_list_safes', 'svc_select_safe', 'svc'],
    )
    // From here on the client checks each structured result against the tool's outputSchema.
    const call = (name: string, args: Record<string, unknown> = {}) =>
      client.callTool({ name, arguments: args })
    t.match(await call('svc_list_safes'), { structuredContent: { safes: [{}, {}] } })
    t.match(await call('svc', { query: 'Ada' }), { isError: true })
    t.match(await call('svc_select_safe', { safe: harbour }), {
      structuredContent: { safe: { id: harbour } },
    })
    t.match(await call('svc', { query: 'Ada' }), { structuredContent: { safe: { id: harbour } } })
    await transport.terminateSession()
    await client.close()
  })
}
