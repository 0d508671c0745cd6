// A client that cannot send `resource`, connected at the endpoint of a Safe that its user did not choose, refreshed for
// ever (RULES P11). SDK 1.11 is the last version without it; in the newest it can be switched off.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t, { type Test } from 'tap'
import { Assistant } from '../../e2e/assistant.js'
import { decide, openCallback } from '../../e2e/browser.js'
import { type Household, listenWithSafes } from '../../e2e/service.js'

const OLD = './node_modules/mcp-sdk-1-11/dist/esm/client'
const old: { Client: typeof Client; StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport } = {
  ...(await import(`${OLD}/index.js`)),
  ...(await import(`${OLD}/streamableHttp.js`)),
}
const newest = { Client, StreamableHTTPClientTransport }

class WithoutResource extends Assistant {
  validateResourceURL = async () => undefined
}

for (const [name, sdk] of [
  ['1.11', old],
  ['the newest', newest],
] as const) {
  t.test(`P11 without resource at an endpoint it cannot use, SDK ${name} gives up`, async t => {
    const household = await listenWithSafes(t)
    const { assistant, connect, refreshes } = await signIn(t, sdk, household)
    const error = await connect().catch(error => error)
    t.match(String(error), /40[13]|Unauthorized|upscoping/, 'an error, not silence')
    t.ok(refreshes() <= 2, `${refreshes()} refreshes`)
    t.match(assistant.current, { scope: 'vault:read' })
    const { baseUrl, other } = household
    const answer = await fetch(`${baseUrl}/mcp/v1/${other.id}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${assistant.current?.access_token}`,
        'content-type': 'application/json',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    })
    t.equal(answer.status, 403)
    t.match(answer.headers.get('www-authenticate'), `Use ${baseUrl}/mcp/v1 instead.`)
  })
}

async function signIn(t: Test, sdk: typeof newest, { app, baseUrl, page, other }: Household) {
  const callback = await openCallback(t)
  const assistant = new WithoutResource(callback.uri)
  const open = () =>
    new sdk.StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp/v1/${other.id}`), {
      authProvider: assistant,
    })
  const connect = () => new sdk.Client({ name: 'test-assistant', version: '1.0.0' }).connect(open())
  await t.rejects(connect(), 'its user has to be asked first')
  const authorizationUrl = assistant.authorizationUrl
  if (!authorizationUrl) throw new Error('no authorization URL')
  t.notOk(authorizationUrl.searchParams.has('resource'))
  await decide(page, authorizationUrl)
  await open().finishAuth((await callback.received).searchParams.get('code') ?? '')
  let count = 0
  const exchange = app.oauth.exchange.bind(app.oauth)
  app.oauth.exchange = fields => {
    count++
    return exchange(fields)
  }
  return { assistant, connect, refreshes: () => count }
}
