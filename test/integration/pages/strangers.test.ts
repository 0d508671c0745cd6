import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { newId } from '../../../platform/common/secrets.js'
import { rpc } from '../../unit/mcp/domain.js'
import { writesNothing } from '../../written.js'
import { buildService, fill } from '../mcp/service.js'
import { Assistant } from '../oauth/assistant.js'
import { Browser, PASSWORD, type Response } from './browser.js'
import { multipart } from './filled.js'

const LINE = '{"type":"entity","name":"Cy","observations":[]}'
const NAME = 'Household of Ann'
const BASE = 'https://safes.example'

/** One attempt of a stranger with an id; the answer must equal the one for an unknown id. */
type Attempt = [name: string, status: number, send: (id: string) => Promise<Response>]

const service = await buildService(t)
const { app, issue, poster } = service
const owner = await app.accounts.add('ann@example.org', PASSWORD)
const safe = await app.safes.create(owner.id, NAME)
await fill(app, owner.id, safe.id)
const bytes = Readable.from([LINE])
const staged = await app.safes.imports.add(owner.id, safe.id, { source: 's.jsonl', bytes, commit: false })
const connection = await issue(owner.id, { chosenSafeIds: [safe.id] })
const eve = new Browser(app)
await eve.signIn('eve@example.org')
await eve.get('/')
const stranger = await app.accounts.findByEmail('eve@example.org')
const eveId = stranger?.id ?? ''
const own = await app.safes.create(eveId, 'Eve’s own')
await fill(app, eveId, own.id)
// So that the navigation shows the same number on all pages.
await app.activity.flush()
// The counts of a list are stored once.
await app.safes.readableBy(owner.id)

/** Each attempt with the real id and with a made-up one: same answer, nothing disclosed, nothing changed. */
async function same(t: Test, attempts: Attempt[], real: string) {
  for (const [name, status, send] of attempts) {
    const madeUp = newId()
    const expected = await send(madeUp)
    const answer = await writesNothing(t, app, name, () => send(real))
    t.equal(answer.statusCode, status, name)
    t.strictSame(seen(answer, real), seen(expected, madeUp), `${name}: as for an id nobody has`)
    t.notMatch(
      answer.body,
      /Household|\bAda\b|Harbour project|memory\.jsonl|s\.jsonl/,
      `${name}: nothing told`,
    )
  }
}

const get = (path: string) => (id: string) => eve.get(path.replace('ID', id))
const post =
  (path: string, fields: Record<string, string> = {}) =>
  async (id: string) => {
    const action = path.replace('ID', id)
    return eve.post(action, { ...fields, _csrf: eve.tokenFor(action) })
  }
const gets = (...paths: string[]): Attempt[] =>
  paths.map(path => [`GET ${path}`, 404, get(`/safes/ID${path}`)])
const posts = (...forms: [path: string, fields?: Record<string, string>][]): Attempt[] =>
  forms.map(([path, fields]) => [`POST ${path}`, 404, post(`/safes/ID${path}`, fields)])

const imports = [1, staged.id, 99].map(number => `/imports/${number}`)
const forMembers = [
  ...gets('', '?q=Ada', '?q=Ada&cursor=x', '/browse', '/browse?source=a.jsonl', '/browse?relation=knows'),
  ...gets(
    '/browse?passages=1',
    '/documents',
    '/documents/memory.jsonl',
    '/documents/memory.jsonl?original=1',
    '/passages/p1.1',
    '/things?name=Ada',
    '/things/ada',
    '/picture?of=ada',
    '/suggest?q=a',
  ),
  ...gets('/settings', '/files', '/activity', '/activity.csv', '/export?format=jsonl'),
  ['GET /ask', 303, get('/ask?safe=ID&q=Ada')] as Attempt,
]
const forOwners = [
  ...gets('/remove', '/import', '/share', `/share/members/${owner.id}/remove`, '/proposals', '/proposals/x'),
  ...gets('/duplicates', ...imports, ...imports.map(path => `${path}/undo`)),
  ...gets('/removed', '/removed?passage=p1.1', '/notes/new', '/notes/edit?path=memory.jsonl'),
  ...posts(['/removed/passage', { passage: 'p1.1' }], ['/removed/restore', { id: 'x' }]),
  ...posts(['/removed/fact', { subject: 'Ada', predicate: 'knows', object: 'Cy' }]),
  ...posts(['/notes/new', { title: 'A', text: 'B' }], ['/notes/remove', { path: 'memory.jsonl' }]),
  ...posts(
    ['/notes/edit', { title: 'A', text: 'B', path: 'memory.jsonl', version: '' }],
    ['/undo', { run: '1', path: '' }],
  ),
  ...posts(['/rename', { name: 'Mine' }], ['/rename', { name: '' }], ['/remove']),
  ...posts(['/single-valued', { relation: 'knows' }], ['/single-valued/remove', { relation: 'knows' }]),
  ...posts(
    ...imports.flatMap(path => ['commit', 'undo', 'restore'].map((verb): [string] => [`${path}/${verb}`])),
  ),
  ...posts(['/share/invite', { email: '', role: 'reader' }], ['/share/invitations/x/revoke']),
  ...posts([`/share/members/${owner.id}`, { role: 'reader' }], [`/share/members/${owner.id}/remove`]),
  ...posts(['/proposals/x', { decision: 'accept' }], ['/proposals/allow/x']),
  ...posts(['/duplicates', { one: 'ada', other: 'cy', decision: 'one' }]),
  ...posts(['/names', { thing: 'ada', change: 'alias', name: 'A.' }]),
  ['an upload', 404, id => eve.send(upload(`/safes/${id}/import`))] as Attempt,
]

t.test('S2 every page treats a Safe of others as missing', t =>
  same(t, [...forMembers, ...forOwners], safe.id),
)

t.test('S2 to a reader, what only owners may do is missing as to a stranger', async t => {
  await app.safes.members.share(owner.id, safe.id, eveId, 'reader')
  // Counts are stored when the first member looks.
  await eve.get(`/safes/${safe.id}`)
  await same(t, forOwners, safe.id)
  await app.safes.members.unshare(owner.id, safe.id, eveId)
})

/** Parts of a Safe's page that owners see and readers do not. */
const OF_OWNERS: Record<string, RegExp> = {
  '/files': /type="file"|\/undo"|\/imports\/\d+"/,
  '/settings': /Rename|One value at a time|Remove this Safe|\/share"/,
  '/browse': /Likely duplicates/,
  '/things/ada': /Merge with another thing/,
}

t.test(
  'S2 a reader’s shared Safe shows no way to change it, and no stranger’s shows up in a list',
  async t => {
    for (const path of ['/', '/safes', '/search?q=House', '/connections', '/account'])
      t.notMatch((await eve.get(path)).body, NAME, path)
    await app.safes.members.share(owner.id, safe.id, eveId, 'reader')
    t.match((await eve.get('/safes')).body, NAME)
    t.match((await eve.get(`/safes/${safe.id}?q=Ada`)).body, /Harbour project/)
    for (const [path, change] of Object.entries(OF_OWNERS)) {
      t.match((await eve.get(`/safes/${own.id}${path}`)).body, change, `${path} of her own Safe`)
      const shown = await eve.get(`/safes/${safe.id}${path}`)
      t.equal(shown.statusCode, 200, path)
      t.notMatch(shown.body, change, path)
    }
    await app.safes.members.unshare(owner.id, safe.id, eveId)
    t.equal((await eve.get(`/safes/${safe.id}`)).statusCode, 404, 'at once')
  },
)

t.test('S2 a connection of others is treated as missing', async t => {
  const attempts: Attempt[] = [
    ['the page', 404, get('/connections/ID')],
    ...['', '/revoke', '/questions'].map(
      (path): Attempt => [
        path,
        404,
        post(`/connections/ID${path}`, path === '/questions' ? { keep: 'no' } : {}),
      ],
    ),
  ]
  await same(t, attempts, connection.connectionId)
  const all = '/connections/revoke-all'
  await eve.post(all, { _csrf: eve.tokenFor(all) })
  t.ok(await app.oauth.authenticate(connection.accessToken, null), 'nor is it one of all of Eve’s')
})

t.test('S2, P2 every MCP endpoint and the metadata treat a Safe of others as missing', async t => {
  const { accessToken } = await issue(eveId)
  const at = (method: 'GET' | 'POST' | 'DELETE', path: string, token?: string) => (id: string) =>
    app.inject({
      method,
      url: path.replace('ID', id),
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(method === 'POST' && { payload: JSON.stringify(rpc(1, 'tools/list')) }),
    })
  const metadata = '/.well-known/oauth-protected-resource/mcp/v1/ID'
  await same(
    t,
    [
      ...(['GET', 'POST', 'DELETE'] as const).flatMap(method => [
        [`${method} with a token`, 401, at(method, '/mcp/v1/ID', accessToken)] as Attempt,
        [`${method} without`, 401, at(method, '/mcp/v1/ID')] as Attempt,
      ]),
      ['metadata', 200, at('GET', metadata)],
    ],
    safe.id,
  )
})

t.test('S2, X11 every tool, argument and cursor treats a Safe of others as missing', async t => {
  const client = poster(await issue(eveId))
  const call = (name: string, args: (id: string) => object) => (id: string) =>
    client.send(rpc(1, 'tools/call', { name, arguments: args(id) }))
  const { structuredContent } = await poster(connection).tool('svc', { query: 'Ada', limit: 1 })
  const cursor = structuredContent.next_cursor
  t.type(cursor, 'string')
  await same(
    t,
    [
      ['svc', 200, call('svc', id => ({ query: 'Ada', safe: id }))],
      ['svc with its cursor', 200, call('svc', id => ({ query: 'Ada', safe: id, cursor }))],
      ['svc_select_safe', 200, call('svc_select_safe', id => ({ safe: id }))],
      ['svc_list_safes after it', 200, call('svc_list_safes', id => ({ cursor: id }))],
    ],
    safe.id,
  )
  const unknown = async (name: string) =>
    JSON.stringify(await client.tool('svc_select_safe', { safe: name })).replace(name, '…')
  t.same(await unknown(NAME), await unknown('No such name'))
  const listed = await client.tool('svc_list_safes', {})
  t.same(
    listed.structuredContent.safes.map(({ id }: { id: string }) => id),
    [own.id],
  )
  const answer = await client.tool('svc', { query: 'Ada', limit: 1, cursor })
  t.match(answer, { isError: true, content: [{ text: /another Safe/ }] }, 'nor does its cursor open it')
  t.notOk(answer.structuredContent)
})

t.test('S2, X11 a connection pinned to a stranger’s Safe reads nothing of it', async t => {
  const ask = async (id: string) =>
    poster(await issue(eveId, {}, { safeId: id }), `/mcp/v1/${id}`).send(
      rpc(1, 'tools/call', { name: 'svc', arguments: { query: 'Ada' } }),
    )
  const [real, madeUp] = [await ask(safe.id), await ask('0'.repeat(22))]
  t.strictSame(seen(real, safe.id), seen(madeUp, '0'.repeat(22)))
  t.match(real.json(), { result: { isError: true } })
})

t.test('S2 an MCP session of others is treated as missing', async t => {
  const session = await poster(connection).initialize()
  const client = poster(await issue(eveId))
  for (const method of ['POST', 'DELETE'] as const) {
    const send = (id: string) =>
      client.request({
        method,
        headers: { 'mcp-session-id': id, 'content-type': 'application/json' },
        ...(method === 'POST' && { payload: JSON.stringify(rpc(1, 'ping')) }),
      })
    await same(t, [[method, 404, send]], session)
  }
  t.equal((await poster(connection).post(rpc(1, 'ping'), { 'mcp-session-id': session })).status, 200)
})

t.test('S2, C7 nobody can be asked to approve a stranger’s Safe, or choose it', async t => {
  const assistant = await Assistant.registered(app)
  Object.assign(assistant.browser, { cookies: eve.cookies })
  const shown = async (id: string) => {
    const page = await assistant.consentPage({ resource: `${BASE}/mcp/v1/${id}` })
    return assistant.browser.get(page)
  }
  const real = await shown(safe.id)
  t.strictSame(seen(real, safe.id), seen(await shown('0'.repeat(22)), '0'.repeat(22)))
  t.notMatch(real.body, NAME)
  const page = await assistant.consentPage()
  const choose = (id: string) =>
    eve.post(page, {
      decision: 'approve',
      safe: id,
      only: 'yes',
      scope: 'vault:read',
      _csrf: eve.tokenFor(`consent:${page.split('/').at(-1)}`),
    })
  await same(t, [['the choice', 400, choose]], safe.id)
})

t.test('S2 pages for administrators are 404 for everybody else', async t => {
  for (const path of ['/people', `/people/${owner.id}/remove`, '/system']) {
    const page = await eve.get(path)
    t.equal(page.statusCode, 404, path)
    t.notMatch(page.body, 'ann@example.org')
  }
  const action = '/people/invite'
  const invite = () => eve.post(action, { email: '', _csrf: eve.tokenFor(action) })
  t.equal((await writesNothing(t, app, 'invite', invite)).statusCode, 404)
})

/** An answer as its sender sees it, without the requested id and everything that changes by itself. */
function seen({ statusCode, headers, body }: Response, id: string) {
  const { date: _date, 'content-length': _length, ...rest } = headers
  return JSON.parse(JSON.stringify({ statusCode, headers: rest, body }).replaceAll(id, 'ID'))
}

function upload(url: string) {
  return multipart(url, { _csrf: eve.tokenFor(url) }, ['x.jsonl', LINE])
}
