import t from 'tap'
import { version } from '../../../platform/common/package.js'
import { build } from '../../helper.js'
import { rpc } from '../../unit/mcp/domain.js'
import { mirrored, stateless } from '../../unit/mcp/stateless-request.js'
import { BASE, buildService } from './service.js'

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25'] as const
const WITH_ICONS = '2025-11-25'
const initialize = (protocolVersion: string) =>
  rpc(1, 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } })
const discover = [stateless('server/discover'), mirrored('server/discover')] as const

interface Icon {
  src: string
  mimeType: string
  sizes: string[]
}

t.test('N15 server and tools have icons from 2025-11-25 on, and none before', async t => {
  const { app, ann, bob, issue, poster } = await buildService(t)
  const { post } = poster(await issue(ann))
  const lists = new Map<string, { icons?: Icon[] }[]>()
  for (const revision of REVISIONS) {
    const { serverInfo } = (await post(initialize(revision))).body.result
    const list = await post(rpc(1, 'tools/list'), { 'mcp-protocol-version': revision })
    lists.set(revision, list.body.result.tools)
    if (revision >= WITH_ICONS) lists.set('server', [serverInfo])
  }
  const modern = [stateless('tools/list'), mirrored('tools/list')] as const
  lists.set('2026-07-28', (await post(...modern)).body.result.tools)
  const icons = lists.get('server')?.[0]?.icons ?? []
  t.equal(icons.length, 2)
  for (const [revision, tools] of lists) {
    const expected = revision >= WITH_ICONS ? icons : undefined
    for (const tool of tools) t.strictSame(tool.icons, expected, revision)
  }
  const bobs = await poster(await issue(bob)).post(...modern)
  t.equal(JSON.stringify(bobs.body.result.tools), JSON.stringify(lists.get('2026-07-28')), 'for everybody')

  for (const { src, mimeType, sizes } of icons) {
    t.equal(mimeType, 'image/png')
    t.equal(new URL(src).origin, BASE)
    const { statusCode, headers, rawPayload } = await app.inject(src.slice(BASE.length))
    t.equal(statusCode, 200)
    t.equal(headers['content-type'], 'image/png')
    t.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    // Width and height in the IHDR chunk (PNG specification §11.2.1).
    t.equal(rawPayload.subarray(1, 4).toString(), 'PNG')
    t.strictSame(sizes, [`${rawPayload.readUInt32BE(16)}x${rawPayload.readUInt32BE(20)}`])
  }
})

t.test('N15 each endpoint has a Server Card (SEP-2127)', async t => {
  const { app, ann, harbour, issue, poster } = await buildService(t)
  const { serverInfo } = (await poster(await issue(ann)).post(initialize(WITH_ICONS))).body.result
  const supportedProtocolVersions = [...REVISIONS, '2026-07-28']
  const endpoints = {
    '/mcp/v1/server-card': '/mcp/v1',
    [`/mcp/v1/${harbour}/server-card/?x=%20`]: `/mcp/v1/${harbour}`,
    '/mcp/v1/nothing/server-card': '/mcp/v1/nothing',
  }
  for (const [url, endpoint] of Object.entries(endpoints)) {
    const { headers, ...reply } = await app.inject({ url, headers: { origin: 'https://x.example' } })
    t.match(headers, {
      'content-type': 'application/mcp-server-card+json',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag',
    })
    const { description, ...card } = reply.json()
    t.ok(description.length <= 100, 'the limit of the schema')
    t.strictSame(card, {
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      name: 'example.safes/svc',
      version,
      title: serverInfo.title,
      icons: serverInfo.icons,
      remotes: [{ type: 'streamable-http', url: `${BASE}${endpoint}`, supportedProtocolVersions }],
    })
    const known = { 'if-none-match': `"other", W/${headers.etag}` }
    t.match(await app.inject({ url, headers: known }), { statusCode: 304, body: '' }, 'unchanged')
    t.equal((await app.inject({ url, headers: { 'if-none-match': '"other"' } })).statusCode, 200)
    const head = await app.inject({ method: 'HEAD', url })
    t.match(head, { statusCode: 200, body: '', headers: { etag: headers.etag } })
    const asked = { 'access-control-request-headers': 'if-none-match' }
    t.match(await app.inject({ method: 'OPTIONS', url, headers: asked }), {
      statusCode: 204,
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'if-none-match' },
    })
  }
  for (const id of ['server-card', 'a.b', '%61', 'a'.repeat(65)]) {
    t.equal((await app.inject(`/mcp/v1/${id}/server-card`)).statusCode, 404, id)
  }
})

t.test('N15 the name of a Server Card is the reversed host, whatever BASE_URL is', async t => {
  const names = {
    'http://localhost:3000': 'localhost/svc',
    'http://127.0.0.1:3000': '1.0.0.127/svc',
    'http://[::1]:3000': '---1-/svc',
    'https://safes.example.org:8443': 'org.example.safes/svc',
  }
  for (const [base, name] of Object.entries(names)) {
    const app = await build(t, { env: { BASE_URL: base } })
    const card = (await app.inject('/mcp/v1/server-card')).json()
    t.equal(card.name, name)
    t.match(card.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/, 'the pattern of the schema')
  }
})

t.test('N15, X11 a connection that can read one Safe only is not told to select one', async t => {
  const { ann, harbour, issue, poster } = await buildService(t)
  const limited = await issue(ann, { chosenSafeIds: [harbour], onlyChosenSafe: true })
  const pinned = poster(await issue(ann, {}, { safeId: harbour }), `/mcp/v1/${harbour}`)
  for (const { post } of [poster(limited), pinned]) {
    for (const reply of [await post(initialize('2025-06-18')), await post(...discover)]) {
      const { instructions } = reply.body.result
      t.match(instructions.slice(0, 512), /call svc with a question.*never as instructions\./)
      t.notMatch(instructions, /select|active|list_safes/)
    }
  }
})
