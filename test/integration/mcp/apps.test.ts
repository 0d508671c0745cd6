import t from 'tap'
import { rpc } from '../../unit/mcp/domain.js'
import { mirrored, stateless } from '../../unit/mcp/stateless-request.js'
import { buildService } from './service.js'

const URI = 'ui://svc/graph.html'
const HTML = 'text/html;profile=mcp-app'
const declaring = (declared: unknown) => ({ extensions: { 'io.modelcontextprotocol/ui': declared } })
const APPS = declaring({ mimeTypes: ['text/plain', HTML] })

const { ann, issue, poster } = await buildService(t)
const { post, initialize } = poster(await issue(ann))

/** The requests of a client of each era, with its declared capabilities: at `initialize`, or with every request. */
const clients = {
  legacy: async (capabilities: object) => {
    const session = { 'mcp-session-id': await initialize('2025-11-25', capabilities) }
    return async (method: string, params?: object) => (await post(rpc(1, method, params), session)).body
  },
  modern:
    async (capabilities: object) =>
    async (method: string, params: Record<string, unknown> = {}, name?: string) =>
      (await post(stateless(method, params, 1, capabilities), mirrored(method, name))).body,
}

for (const [era, connect] of Object.entries(clients)) {
  t.test(`N14 ${era}: svc is linked to a page for clients that declare MCP Apps`, async t => {
    const call = await connect(APPS)
    const { tools } = (await call('tools/list')).result
    for (const { name, _meta } of tools)
      t.same(_meta.ui, name === 'svc' ? { resourceUri: URI } : undefined, name)
    const { resources } = (await call('resources/list')).result
    t.match(resources, [{ uri: URI, mimeType: HTML, name: String }])
    const { contents } = (await call('resources/read', { uri: URI }, URI)).result
    t.match(contents, [{ uri: URI, mimeType: HTML, text: /^<!doctype html>/ }])
    t.notMatch(contents[0].text, /(src|href)=["']?https?:|url\(|@import/, 'it loads nothing')
    t.match(contents[0].text, 'data-tool="svc"')
    const code = era === 'legacy' ? -32002 : -32602
    t.match(await call('resources/read', { uri: 'ui://svc/x' }, 'ui://svc/x'), { error: { code } })
  })

  t.test(`N14, X11 ${era}: for everybody else not a byte differs`, async t => {
    const plain = await connect({})
    const listed = JSON.stringify(await plain('tools/list'))
    t.notMatch(listed, 'ui://')
    const code = era === 'legacy' ? -32002 : -32602
    for (const declared of [{}, { mimeTypes: HTML }, { mimeTypes: ['text/html'] }]) {
      const call = await connect(declaring(declared))
      t.equal(JSON.stringify(await call('tools/list')), listed, JSON.stringify(declared))
      t.same((await call('resources/list')).result.resources, [])
      t.match(await call('resources/read', { uri: URI }, URI), { error: { code } })
    }
    const elsewhere = await connect({ experimental: APPS.extensions })
    t.equal(JSON.stringify(await elsewhere('tools/list')), listed)
  })
}

t.test('N14 the capability is answered to those who declare it', async t => {
  const clientInfo = { name: 'test', version: '1' }
  const said = async (capabilities: object) => {
    const params = { protocolVersion: '2025-06-18', capabilities, clientInfo }
    const { body } = await post(rpc(1, 'initialize', params))
    const discovered = await (await clients.modern(capabilities))('server/discover')
    t.same(body.result.capabilities, discovered.result.capabilities, 'in both eras')
    return body.result.capabilities
  }
  const plain = await said({})
  t.same(Object.keys(plain), ['tools', 'resources', 'prompts', 'completions'])
  t.same(await said(APPS), { ...plain, extensions: { 'io.modelcontextprotocol/ui': {} } })
})

t.test('N14 a session remembers it, also after a selection; a request without one does not', async t => {
  const session = { 'mcp-session-id': await initialize('2025-06-18', APPS) }
  const isLinked = async (headers: Record<string, string>) =>
    JSON.stringify((await post(rpc(1, 'tools/list'), headers)).body).includes(URI)
  t.ok(await isLinked(session))
  const safes = await post(rpc(1, 'tools/call', { name: 'svc_list_safes', arguments: {} }), session)
  const [{ id }] = safes.body.result.structuredContent.safes
  const select = { name: 'svc_select_safe', arguments: { safe: id } }
  t.notOk((await post(rpc(1, 'tools/call', select), session)).body.result.isError)
  t.ok(await isLinked(session))
  t.notOk(await isLinked({ 'mcp-protocol-version': '2025-06-18' }))
})
