import t from 'tap'
import { rpc } from '../../unit/mcp/domain.js'
import { mirrored, stateless } from '../../unit/mcp/stateless-request.js'
import { buildService } from './service.js'

const URI = 'ui://svc/graph.html'

t.test('N14 by default nothing of MCP Apps is there', async t => {
  const { ann, issue, poster } = await buildService(t)
  const { post } = poster(await issue(ann))
  t.match((await post(rpc(1, 'resources/read', { uri: URI }))).body, { error: { code: -32002 } })
  t.same((await post(rpc(1, 'resources/list'))).body.result.resources, [])
  const { tools } = (await post(rpc(1, 'tools/list'))).body.result
  for (const tool of tools) t.notOk('_meta' in tool, tool.name)
})

t.test('N14 with MCP_APPS=on, svc is linked to a page', async t => {
  const { ann, issue, poster } = await buildService(t, { env: { MCP_APPS: 'on' } })
  const { post } = poster(await issue(ann))
  const legacy = async (method: string, params?: object) =>
    (await post(rpc(1, method, params), { 'mcp-protocol-version': '2025-06-18' })).body
  const modern = async (method: string, params: Record<string, unknown> = {}, name?: string) =>
    (await post(stateless(method, params), mirrored(method, name))).body

  for (const call of [legacy, modern]) {
    const { tools } = (await call('tools/list')).result
    for (const { name, _meta } of tools)
      t.same(_meta, name === 'svc' ? { ui: { resourceUri: URI } } : undefined, name)
    const { resources } = (await call('resources/list')).result
    t.match(resources, [{ uri: URI, mimeType: 'text/html;profile=mcp-app', name: String }])
    const { contents } = (await call('resources/read', { uri: URI }, URI)).result
    t.match(contents, [{ uri: URI, mimeType: 'text/html;profile=mcp-app', text: /^<!doctype html>/ }])
    t.notMatch(contents[0].text, /(src|href)=["']?https?:|url\(|@import/, 'it loads nothing')
    t.match(contents[0].text, 'data-tool="svc"')
  }
  t.match(await legacy('resources/read', { uri: 'ui://svc/x' }), { error: { code: -32002 } })
  t.match(await modern('resources/read', { uri: 'ui://svc/x' }, 'ui://svc/x'), { error: { code: -32602 } })
  t.match(await legacy('resources/read', {}), { error: { code: -32602 } })
  t.match(await modern('resources/read', { uri: URI }, 'other'), { error: { code: -32020 } })
  for (const method of ['resources/list', 'resources/templates/list'])
    t.match((await modern(method)).result, { resultType: 'complete', ttlMs: Number, cacheScope: String })
  t.match((await modern('server/discover')).result.capabilities, {
    tools: {},
    resources: {},
    extensions: { 'io.modelcontextprotocol/ui': {} },
  })
})
