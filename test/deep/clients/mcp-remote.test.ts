import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import t, { type Test } from 'tap'
import { dataDir } from '../../data-dir.js'
import { decide } from '../../e2e/browser.js'
import { ask, type CallTool, converse } from '../../e2e/conversation.js'
import { listenWithSafes } from '../../e2e/service.js'
import { freePort } from '../../free-port.js'
import { programOf } from './programs.js'

t.test('mcp-remote signs in, comes back, and registers again where it is forgotten', async t => {
  const port = await freePort()
  const folder = dataDir(t)
  const { app, baseUrl, clock, page, safe, other } = await listenWithSafes(t, { port })

  const first = start(t, baseUrl, folder)
  const firstUrl = await first.authorizationUrl
  await decide(page, firstUrl)
  await first.connected
  t.match(first.client.getServerVersion(), { name: 'svc' })
  const { tools } = await first.client.listTools()
  t.same(tools.map(tool => tool.name).sort(), ['svc', 'svc_list_safes', 'svc_select_safe'])
  await converse(t, first.call, safe, other)
  clock.now += 3601_000
  await ask(t, first.call, 'an hour later: refreshed')
  await first.client.close()

  const second = start(t, baseUrl, folder)
  await second.connected
  await ask(t, second.call, 'started again: it has kept its tokens, and the connection its Safe')
  t.notMatch(second.said(), AUTHORIZE, 'nobody was asked')
  await second.client.close()

  await app.close()
  const anew = await listenWithSafes(t, { port })
  const third = start(t, anew.baseUrl, folder)
  const thirdUrl = await third.authorizationUrl
  const clients = [firstUrl, thirdUrl].map(url => url.searchParams.get('client_id'))
  t.not(clients[0], clients[1], 'T6 told that its client is unknown, it registers again')
  await decide(anew.page, thirdUrl)
  await third.connected
  await converse(t, third.call, anew.safe, anew.other)
  await third.client.close()
})

const AUTHORIZE = /Please authorize this client by visiting:\s+(\S+)/

/** mcp-remote, started as an app starts it: a program that speaks MCP on its standard input and output. */
function start(t: Test, baseUrl: string, folder: string) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programOf('mcp-remote', 'mcp-remote'), `${baseUrl}/mcp/v1`, '--auth-timeout', '120'],
    // It would open a real browser; `true` opens nothing.
    env: { PATH: process.env.PATH ?? '', HOME: folder, BROWSER: 'true', MCP_REMOTE_CONFIG_DIR: folder },
    stderr: 'pipe',
  })
  let said = ''
  const authorizationUrl = new Promise<URL>(resolve => {
    transport.stderr?.on('data', chunk => {
      said += chunk
      const [, url] = AUTHORIZE.exec(said) ?? []
      if (url) resolve(new URL(url))
    })
  })
  const client = new Client({ name: 'test-app', version: '1.0.0' })
  const connected = client.connect(transport)
  t.teardown(() => client.close())
  const call: CallTool = (name, args = {}) => client.callTool({ name, arguments: args })
  return { client, connected, call, authorizationUrl, said: () => said }
}
