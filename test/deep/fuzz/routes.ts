import { BOUNDARY, type Plan, type Tree } from './plan.js'

/** A good request, and its status. */
export interface Good {
  plan: Plan
  status: number
  /** Its frequency, compared with the others. */
  weight: number
}

/** Fields by name; several of one name are a list. */
type Fields = Record<string, string | string[]>

const pairsOf = (fields: Fields): Tree[] =>
  Object.entries(fields).flatMap(([name, value]) => [value].flat().map(one => [name, one]))

interface Parts {
  params?: Record<string, string>
  query?: Fields
  form?: Fields
  json?: Tree
  parts?: Tree
  headers?: Tree[]
  as?: string
  weight?: number
}

function good(method: string, url: string, status: number, headers: Tree[], parts: Parts): Good {
  const { params = {}, weight = 4, headers: more = [], as: _as, query, form, ...rest } = parts
  const path = url
    .slice(1)
    .split('/')
    .map(segment => (/^[:*]/.test(segment) ? (params[segment.replace(':', '')] ?? '') : segment))
  const plan = {
    route: `${method} ${url}`,
    method,
    path,
    headers: [...headers, ...more],
    ...rest,
    ...(query && { query: pairsOf(query) }),
    ...(form && { form: pairsOf(form) }),
  }
  return { plan, status, weight: weight * 4 }
}

const FORM = ['content-type', 'application/x-www-form-urlencoded']
const JSON_TYPE = ['content-type', 'application/json']

/** What a program sends. */
function call(method: string, url: string, status: number, parts: Parts = {}): Good {
  const type = parts.form ? [FORM] : parts.json === undefined ? [] : [JSON_TYPE]
  return good(method, url, status, [['accept', 'application/json'], ...type], parts)
}

/** The headers of a browser, with the cookies of a signed-in person. */
function page(url: string, status: number, parts: Parts = {}): Good {
  const { as = 'ann' } = parts
  return good(
    'GET',
    url,
    status,
    [
      ['accept', 'text/html'],
      ['cookie', `‹cookies.${as}›`],
    ],
    parts,
  )
}

function post(url: string, status: number, fields: Fields = {}, parts: Parts = {}): Good {
  const { as = 'ann' } = parts
  const headers = [['accept', 'text/html'], ['cookie', `‹cookies.${as}›`], FORM]
  return good('POST', url, status, headers, { ...parts, form: { _csrf: `‹csrf.${as}›`, ...fields } })
}

function mcp(message: Tree, url = '/mcp/v1', parts: Parts = {}, status = 200): Good {
  const token = url.includes(':') ? 'at.safe' : 'at'
  const headers = [['authorization', `Bearer ‹${token}›`], ...(parts.headers ?? [])]
  return call('POST', url, status, { params: { safeId: '‹safe›' }, json: message, ...parts, headers })
}

const rpc = (method: string, params: Tree = {}, id: Tree = 1): Tree => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const tool = (name: string, args: Tree) => rpc('tools/call', { name, arguments: args })
const INITIALIZE = rpc('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'fuzz', version: '1' },
})
/** A request of MCP 2026-07-28, with the headers that repeat parts of it. */
function stateless(method: string, params: { [name: string]: Tree } = {}, url = '/mcp/v1', weight = 4): Good {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { roots: {} },
    'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  }
  const name = params.name === undefined ? [] : [['mcp-name', params.name]]
  const headers = [['mcp-protocol-version', '2026-07-28'], ['mcp-method', method], ...name]
  return mcp(rpc(method, { ...params, _meta }), url, { headers, weight })
}
const SESSION = [
  ['mcp-session-id', '‹mcp›'],
  ['mcp-protocol-version', '2025-06-18'],
]

const API = {
  params: { safe: '‹safe›' },
  headers: [['authorization', 'Bearer ‹at.api›']],
}

const AUTHORIZE = {
  response_type: 'code',
  client_id: '‹client›',
  redirect_uri: '‹callback›',
  code_challenge: '‹challenge›',
  code_challenge_method: 'S256',
  scope: 'vault:read',
  state: '‹state›',
  resource: '‹base›/mcp/v1',
}
const authorize = (url: string, changes: Record<string, string> = {}) =>
  page(url, 302, {
    query: { ...AUTHORIZE, ...changes },
    weight: 8,
  })

const REDEEM = {
  grant_type: 'authorization_code',
  code: '‹code›',
  redirect_uri: '‹callback›',
  code_verifier: '‹verifier›',
  client_id: '‹client›',
}
const REFRESH = { grant_type: 'refresh_token', refresh_token: '‹rt›', client_id: '‹client›' }
const REGISTER = {
  redirect_uris: ['https://other.example/cb', 'http://127.0.0.1:33418/', 'com.example.app:/callback'],
  client_name: '<svc-fuzz> "svc-fuzz=',
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
}
const FILE =
  '{"type":"entity","name":"Ada <svc-fuzz>","entityType":"person","observations":["Built a crane."]}\n'
/** Ids that nothing has. */
const UNKNOWN_IDS = {
  accountId: '3XkQ0aV7bTn5mWcR9sYdLe',
  invitationId: '3XkQ0aV7bTn5mWcR9sYdLe',
  sessionId: '3XkQ0aV7bTn5mWcR9sYdLe',
  passkeyId: '3XkQ0aV7bTn5mWcR9sYdLe',
}

const SAFE = { params: { safeId: '‹safe›' } }
/** A page of a Safe, and one of its parts. */
const ofSafe = (path: string, query: Fields = {}, more: Parts = {}) =>
  page(`/safes/:safeId${path}`, 200, { ...SAFE, query, ...more })
const inSafe = (params: Record<string, string>, weight = 4) => ({
  params: { ...SAFE.params, ...params },
  weight,
})
const imported = (importId: string) => ({ params: { safeId: '‹safe›', importId } })

/** Hashing a password takes as long as hundreds of requests. */
const HASHING = 1
const SIGNING_IN = { as: 'nobody', weight: HASHING }

/** A good request for every route, from which the others are made. */
export const goods: readonly Good[] = [
  call('GET', '/healthz', 200, { weight: 1 }),
  call('GET', '/readyz', 200, { weight: 1 }),
  call('GET', '/doctor/:probe', 404, { params: { probe: `1.${'a'.repeat(43)}` }, weight: 1 }),
  call('GET', '/assets/*', 404, { weight: 1 }),
  page('/forgot', 200, { as: 'nobody', weight: 1 }),
  post('/safes/:safeId/folders', 404, { folder: '/' }, SAFE),
  post('/safes/:safeId/folders/sync', 303, { name: 'x' }, SAFE),
  post('/safes/:safeId/folders/stop', 303, { name: 'x' }, SAFE),
  post('/safes/:safeId/single-valued', 303, { relation: 'knows' }, SAFE),
  post('/safes/:safeId/single-valued/remove', 303, { relation: 'knows' }, SAFE),

  call('GET', '/api/v1/openapi.json', 200, { weight: 1 }),
  call('GET', '/api/v1/safes', 200, API),
  call('POST', '/api/v1/safes/:safe/ask', 200, { ...API, json: { query: 'Who knows Ada?', limit: 3 } }),
  call('POST', '/api/v1/safes/:safe/ask', 400, { ...API, json: { as_of: 'never' } }),
  call('GET', '/api/v1/safes/:safe/export', 200, { ...API, query: { format: 'jsonl' } }),
  call('GET', '/api/v1/safes/:safe/imports/:id', 200, { ...API, params: { ...API.params, id: '1' } }),
  call('POST', '/api/v1/safes/:safe/uploads', 403, {
    ...API,
    headers: [...API.headers, ['tus-resumable', '1.0.0'], ['upload-length', '5']],
  }),

  call('OPTIONS', '*', 204, { weight: 1 }),
  call('GET', '/.well-known/oauth-authorization-server', 200, { weight: 2 }),
  call('GET', '/.well-known/*', 404, { weight: 2 }),
  ...[
    ...['', '/mcp/v1', '/mcp/v1/:safeId', '/api/v1'].map(
      path => `/.well-known/oauth-protected-resource${path}`,
    ),
    ...['/mcp/v1/server-card', '/mcp/v1/:safeId/server-card'],
  ].flatMap(url => [url, `${url}/`].map(url => call('GET', url, 200, { ...SAFE, weight: 1 }))),

  call('POST', '/oauth/register', 201, { json: REGISTER, weight: 8 }),
  call('POST', '/register', 201, { json: REGISTER, weight: 1 }),
  authorize('/oauth/authorize'),
  authorize('/oauth/authorize', { client_id: '‹client.odd›', redirect_uri: '‹callback.odd›' }),
  authorize('/oauth/authorize', { redirect_uri: 'http://localhost:4711/cb' }),
  authorize('/oauth/authorize', {
    client_id: 'https://client-documents.dev/client.json',
    redirect_uri: 'https://client-documents.dev/cb',
  }),
  authorize('/authorize'),
  page('/oauth/consent/:id', 200, { params: { id: '‹consent›' } }),
  post(
    '/oauth/consent/:id',
    303,
    { decision: 'approve', safe: '‹safe›', only: 'yes', scope: 'vault:read' },
    {
      params: { id: '‹consent.approve›' },
      weight: 8,
    },
  ),
  post('/oauth/consent/:id', 303, { decision: 'deny' }, { params: { id: '‹consent.deny›' } }),
  call('POST', '/oauth/token', 200, { form: REDEEM, weight: 8 }),
  call('POST', '/oauth/token', 200, { form: REFRESH, weight: 8 }),
  call('POST', '/token', 200, { form: REFRESH, weight: 1 }),
  call('POST', '/oauth/revoke', 200, {
    form: { token: '‹rt›', token_type_hint: 'refresh_token', client_id: '‹client›' },
  }),

  mcp(INITIALIZE),
  mcp(rpc('ping')),
  mcp(rpc('tools/list'), '/mcp/v1', { headers: SESSION }),
  mcp(tool('svc_list_safes', {}), '/mcp/v1', { headers: SESSION }),
  mcp(tool('svc_select_safe', { safe: '‹safe›' }), '/mcp/v1', { headers: SESSION, weight: 8 }),
  mcp(tool('svc', { query: 'Who knows Ada?', limit: 3, max_tokens: 500, safe: '‹safe›' }), '/mcp/v1', {
    headers: SESSION,
    weight: 8,
  }),
  mcp(tool('svc', { query: 'Ada', limit: 1, cursor: '‹cursor›', safe: '‹safe›' }), '/mcp/v1'),
  mcp([
    rpc('ping', {}, 1),
    rpc('tools/list', {}, 'two'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ]),
  mcp({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, '/mcp/v1', {}, 202),
  stateless('server/discover'),
  stateless('tools/list'),
  stateless('tools/call', { name: 'svc_select_safe', arguments: { safe: '‹safe›' } }),
  stateless('tools/call', { name: 'svc', arguments: { query: 'Ada', safe: '‹safe›' } }, '/mcp/v1', 8),
  stateless('tools/call', { name: 'svc', arguments: { query: 'harbour' } }, '/mcp/v1/:safeId'),
  mcp(INITIALIZE, '/mcp/v1/', { weight: 1 }),
  mcp(tool('svc', { query: 'harbour' }), '/mcp/v1/:safeId', { weight: 8 }),
  mcp(rpc('tools/list'), '/mcp/v1/:safeId/', { weight: 1 }),
  ...['/mcp/v1', '/mcp/v1/', '/mcp/v1/:safeId', '/mcp/v1/:safeId/'].map(url =>
    call('DELETE', url, 204, {
      ...SAFE,
      headers: [['authorization', `Bearer ‹${url.includes(':') ? 'at.safe' : 'at'}›`]],
      weight: 1,
    }),
  ),

  page('/connections/apps', 200),
  post('/connections/apps', 200, { name: 'An app', callbacks: 'http://127.0.0.1/callback' }),
  page('/account/programs', 200),
  post('/account/programs', 200, { name: 'A program', days: '30', reach: 'mcp' }),

  page('/login', 200, { as: 'nobody', query: { request: '‹consent›' } }),
  post('/login', 303, { email: '‹email.ann›', password: '‹password›', request: '‹consent›' }, SIGNING_IN),
  call('GET', '/login/passkey', 200, { as: 'nobody', weight: 1 }),
  post('/login/passkey', 400, { credential: '{}' }, { as: 'nobody', weight: 1 }),
  post('/logout', 303, {}, { query: { request: '‹consent›' }, weight: 1 }),
  page('/setup', 410, { as: 'nobody', query: { token: '‹setup›' } }),
  post('/setup', 410, { token: '‹setup›', email: 'new@fuzz.example', password: '‹password›' }, SIGNING_IN),
  page('/invite', 200, { as: 'nobody', query: { token: '‹invite›' } }),
  post('/invite', 303, { token: '‹invite›', email: '‹email.new›', password: '‹password›' }, SIGNING_IN),
  page('/', 200),
  page('/start', 200),
  page('/ask', 303, { query: { safe: '‹safe›', q: 'Ada' } }),
  page('/safes', 200),
  page('/search', 200, { query: { q: 'Ad' } }),
  post('/safes', 303, { name: 'Garden <svc-fuzz>' }),
  post('/safes/sample', 303, {}, { weight: 1 }),
  ofSafe('', { q: 'Ada <svc-fuzz>', cursor: '' }, { weight: 8 }),
  ofSafe('', { q: 'Ada' }, { as: 'bob' }),
  ofSafe('/browse', { sort: 'relations' }),
  ofSafe('/browse', { relation: 'knows', after: 'ada', after_object: 'bob' }),
  ofSafe('/browse', { passages: '1', after: '1.1' }),
  ofSafe('/browse', { search: 'Ad', type: 'person' }),
  ofSafe('/browse', { source: 'a.jsonl', list: 'types' }),
  ofSafe('/documents', { folder: 'notes/', after: 'a' }),
  ofSafe('/documents', { q: 'jsonl', tag: 'work' }),
  ofSafe('/versions', { path: 'first"><svc-fuzz>.jsonl' }),
  post('/safes/:safeId/versions/restore', 404, { path: 'none.md', version: '1', hash: '' }, SAFE),
  page('/safes/:safeId/documents/*', 200, {
    params: { ...SAFE.params, '*': 'first"><svc-fuzz>.jsonl' },
    query: { part: '1' },
  }),
  // The Safe of this test has none.
  page('/safes/:safeId/images/*', 404, { params: { ...SAFE.params, '*': 'svc-fuzz.png' } }),
  page('/safes/:safeId/passages/:passageId', 303, { params: { ...SAFE.params, passageId: 'p1.1' } }),
  page('/safes/:safeId/things', 303, { ...SAFE, query: { name: 'Ada' } }),
  page('/safes/:safeId/things/*', 200, { params: { ...SAFE.params, '*': 'ada <svc-fuzz>' } }),
  ofSafe('/picture', { of: 'ada <svc-fuzz>' }),
  ofSafe('/suggest', { q: 'ad' }),
  ofSafe('/settings'),
  post('/safes/:safeId/rename', 303, { name: 'Harbour "svc-fuzz=' }, SAFE),
  ofSafe('/proposals'),
  page('/safes/:safeId/proposals/:proposalId', 410, {
    params: { ...SAFE.params, proposalId: 'svcfuzz' },
  }),
  post(
    '/safes/:safeId/proposals/:proposalId',
    410,
    { decision: 'accept', keep: '0', subject: 'Ada', predicate: 'knows', object: 'Bob' },
    inSafe({ proposalId: 'svcfuzz' }),
  ),
  post('/safes/:safeId/proposals/allow/:connectionId', 303, {}, inSafe({ connectionId: 'svcfuzz' })),
  ofSafe('/duplicates', { from: '20' }),
  post(
    '/safes/:safeId/duplicates',
    409,
    { one: 'ada svc-fuzz', other: 'bob svc-fuzz', decision: 'apart' },
    SAFE,
  ),
  post(
    '/safes/:safeId/names',
    409,
    { thing: 'ada <svc-fuzz>', change: 'split', name: 'ada <svc-fuzz>' },
    SAFE,
  ),
  ofSafe('/remove'),
  post('/safes/:safeId/remove', 303, {}, { ...SAFE, weight: 1 }),
  post('/safes/:safeId/restore', 404, {}, { ...SAFE, weight: 1 }),
  ofSafe('/files', { before: '9' }),
  ofSafe('/export', { format: 'jsonl' }, { weight: 2 }),
  ofSafe('/import'),
  good(
    'POST',
    '/safes/:safeId/import',
    303,
    [
      ['accept', 'text/html'],
      ['cookie', '‹cookies.ann›'],
      ['content-type', `multipart/form-data; boundary=${BOUNDARY}`],
    ],
    {
      ...SAFE,
      parts: [
        ['_csrf', '‹csrf.ann›'],
        ['format', 'jsonl'],
        ['skip_bad', 'yes'],
        ['file', FILE, 'a.jsonl'],
      ],
      weight: 8,
    },
  ),
  page('/safes/:safeId/imports/:importId', 200, imported('‹import›')),
  post('/safes/:safeId/imports/:importId/commit', 303, {}, { ...imported('‹import.staged›'), weight: 2 }),
  post('/safes/:safeId/imports/:importId/undo', 303, {}, { ...imported('‹import.staged›'), weight: 2 }),
  page('/safes/:safeId/imports/:importId/undo', 200, imported('‹import›')),
  post('/safes/:safeId/imports/:importId/restore', 404, {}, { ...imported('‹import›'), weight: 1 }),
  page('/continue', 410, { query: { form: 'abc' } }),
  page('/connections', 200),
  post('/connections/:connectionId/revoke', 303, {}, { params: { connectionId: '‹connection›' } }),
  post('/connections/revoke-all', 303, {}, { weight: 1 }),
  post('/connections/recent/revoke', 303, {}, { weight: 1 }),
  post(
    '/connections/:connectionId/questions',
    303,
    { keep: 'no' },
    { params: { connectionId: '‹connection›' } },
  ),
  post(
    '/connections/:connectionId/powers',
    303,
    { propose: 'yes' },
    { params: { connectionId: '‹connection›' } },
  ),
  call('GET', '/manifest.webmanifest', 200, { weight: 1 }),
  page('/suggest', 200, { query: { q: 'ad' } }),
  page('/add', 200, { query: { title: 'Ada <svc-fuzz>', text: 'A crane.', url: 'https://example.org/' } }),
  post('/add', 303, { title: 'Ada', text: 'A <svc-fuzz> crane.', url: '', safe: '‹safe›' }),
  ofSafe('/notes/new', { title: 'Ada' }),
  post('/safes/:safeId/notes/new', 303, { title: 'Ada', text: 'A [[crane]] <svc-fuzz>.' }, SAFE),
  page('/safes/:safeId/notes/edit', 404, { ...SAFE, query: { path: 'Notes/None.md' }, weight: 1 }),
  post(
    '/safes/:safeId/notes/edit',
    404,
    { title: 'Ada', text: 'A crane.', path: 'Notes/None.md', version: '1' },
    { ...SAFE, weight: 1 },
  ),
  post('/safes/:safeId/notes/remove', 404, { path: 'Notes/None.md' }, { ...SAFE, weight: 1 }),
  post('/safes/:safeId/undo', 404, { run: '999999', path: 'Notes/None.md' }, { ...SAFE, weight: 1 }),
  ofSafe('/removed', { subject: 'Ada', predicate: 'knows', object: 'Bob' }),
  post('/safes/:safeId/removed/fact', 404, { subject: 'Ada', predicate: 'knows', object: 'No one' }, SAFE),
  post('/safes/:safeId/removed/passage', 404, { passage: 'p9999.1' }, { ...SAFE, weight: 1 }),
  post('/safes/:safeId/removed/restore', 404, { id: 'none' }, { ...SAFE, weight: 1 }),
  page('/activity', 200, {
    query: { kind: 'question', connection: '‹connection›', safe: '‹safe›' },
  }),
  page('/activity.csv', 200, { query: { kind: '' }, weight: 2 }),
  ofSafe('/activity', { kind: 'question' }),
  ofSafe('/activity', {}, { as: 'bob' }),
  ofSafe('/activity.csv', {}, { weight: 2 }),
  page('/connections/revoke-all', 200),
  page('/connections/recent', 200),
  page('/connections/:connectionId', 200, { params: { connectionId: '‹connection›' } }),
  post(
    '/connections/:connectionId',
    303,
    { safe: ['‹safe›', '‹safe.other›'], only: 'yes' },
    { params: { connectionId: '‹connection›' } },
  ),
  ofSafe('/share'),
  post(
    '/safes/:safeId/share/invite',
    200,
    { email: 'guest@fuzz.example', role: 'reader' },
    { ...SAFE, weight: 1 },
  ),
  post('/safes/:safeId/share/members/:accountId', 303, { role: 'reader' }, inSafe({ accountId: '‹id.bob›' })),
  page('/safes/:safeId/share/members/:accountId/remove', 200, {
    params: { ...SAFE.params, accountId: '‹id.bob›' },
  }),
  page('/account/delete', 200),
  page('/reset', 410, { as: 'nobody', query: { token: '‹invite›' } }),
  page('/account', 200, { query: { changed: 'yes' } }),
  post('/account/password', 303, { current: '‹password›', next: '‹password›' }, { weight: HASHING }),
  post('/account/sign-out-everywhere', 303, {}, { weight: 1 }),
  post('/account/display', 303, { theme: 'dark', dates: 'browser' }, { weight: 1 }),
  page('/people', 200, { as: 'root' }),
  page('/system', 200, { as: 'root' }),
  post('/system/check', 200, {}, { as: 'root', weight: 1 }),
  page('/system/backups', 200, { as: 'root' }),
  post('/system/backups/make', 303, {}, { as: 'root', weight: 1 }),
  // Without a backup: a restore ends the service.
  post(
    '/system/backups/:name/bring',
    409,
    {},
    { as: 'root', params: { name: 'svc-2026-01-01T00-00-00Z.db' }, weight: 1 },
  ),
  page('/system/backups/:name', 404, { as: 'root', params: { name: 'svc-2026-01-01T00-00-00Z.db' } }),
  ...['download', 'restore'].map(action =>
    post(
      `/system/backups/:name/${action}`,
      404,
      {},
      { as: 'root', params: { name: 'svc-2026-01-01T00-00-00Z.db' }, weight: 1 },
    ),
  ),
  post('/people/invite', 200, { email: 'guest@fuzz.example' }, { as: 'root', weight: 1 }),
  page('/people/:accountId/remove', 200, { as: 'root', params: { accountId: '‹id.bob›' } }),
  post('/people/:accountId/role', 303, { role: 'member' }, { as: 'root', params: { accountId: '‹id.bob›' } }),
  // Without an owner or a target, so that the other requests keep what they need.
  post('/people/:accountId/reset', 404, {}, { as: 'root', params: UNKNOWN_IDS, weight: 1 }),
  post('/people/:accountId/remove', 404, {}, { as: 'root', params: UNKNOWN_IDS, weight: 1 }),
  post('/people/invitations/:invitationId/revoke', 404, {}, { as: 'root', params: UNKNOWN_IDS, weight: 1 }),
  post('/safes/:safeId/share/members/:accountId/remove', 404, {}, inSafe({ ...UNKNOWN_IDS }, 1)),
  post('/safes/:safeId/share/invitations/:invitationId/revoke', 404, {}, inSafe({ ...UNKNOWN_IDS }, 1)),
  post('/account/sessions/:sessionId/end', 400, {}, { params: UNKNOWN_IDS, weight: 1 }),
  post('/account/sessions/end-others', 303, {}, { weight: 1 }),
  post('/account/passkeys/new', 400, { password: 'a wrong password' }, { weight: HASHING }),
  post('/account/passkeys', 400, { name: 'A phone', credential: '{}' }, { weight: 1 }),
  post('/account/passkeys/:passkeyId/rename', 404, { name: 'A phone' }, { params: UNKNOWN_IDS, weight: 1 }),
  post('/account/passkeys/:passkeyId/remove', 404, {}, { params: UNKNOWN_IDS, weight: 1 }),
  post('/account/password/remove', 400, { password: 'a wrong password' }, { weight: HASHING }),
  post('/account/delete', 400, { password: 'a wrong password' }, { weight: HASHING }),
]
