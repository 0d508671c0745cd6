import { classifyInboundRequest, createMcpHandler, Server } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { classify } from '../../../mcp/revisions/classify.js'
import { isObject, type Message } from '../../../mcp/revisions/envelope.js'
import { namesStateless } from '../../../mcp/revisions/protocol-version.js'
import { rounds } from '../../rounds.js'
import { rpc } from './domain.js'
import { CAPABILITIES, CLIENT, META, REVISION, stateless, VERSION } from './stateless-request.js'

type Refused = Extract<Message, { kind: 'refused' }>

interface Sent {
  body: unknown
  protocolVersion: string | undefined
  mcpMethod: string | undefined
  mcpName: string | undefined
}

/** `legacy`, `accepted` (a notification), `request`, or the status and code of an error. */
type Verdict = string

const SAMPLES = rounds(1_500, 6_000)

/** Deliberate differences of this service from the SDK: its behaviour, and the requests concerned. */
const differences: { why: string; verdict: Verdict; when(sent: Sent, sdk: Verdict): boolean }[] = [
  {
    why: 'N2 initialize without an envelope is the handshake, whatever its header says',
    verdict: 'legacy',
    when: ({ body }, sdk) => methodOf(body) === 'initialize' && !isEnveloped(body) && sdk === '400 -32020',
  },
  {
    why: 'N3 no batches under a modern header',
    verdict: '400 -32600',
    when: ({ body, protocolVersion }, sdk) =>
      Array.isArray(body) && namesStateless(protocolVersion) && sdk === 'legacy',
  },
  {
    why: 'X3, X4 what is malformed without naming the revision is answered by earlier rules',
    verdict: 'legacy',
    when: ({ body, protocolVersion }, sdk) =>
      sdk === '400 -32600' && !namesStateless(protocolVersion) && ![body].flat().some(isEnveloped),
  },
  {
    why: 'X7 a header that is no date is unsupported by earlier rules',
    verdict: 'legacy',
    when: ({ body, protocolVersion = '' }, sdk) =>
      sdk !== 'legacy' &&
      protocolVersion > REVISION &&
      !namesStateless(protocolVersion) &&
      isObject(body) &&
      !isEnveloped(body),
  },
  {
    why: 'N4 an envelope claims the request, also when it is malformed or names an earlier revision',
    verdict: '400 -32602',
    when: ({ body }, sdk) =>
      methodOf(body) === 'initialize' && hasId(body) && /legacy|-32020/.test(sdk) && isMalformed(body),
  },
  {
    why: 'N5 headers are compared before the version',
    verdict: '400 -32020',
    when: (sent, sdk) =>
      (sdk === '400 -32022' || (methodOf(sent.body) === 'initialize' && sdk === 'legacy')) &&
      isEnveloped(sent.body) &&
      !isMirrored(sent),
  },
  {
    why: 'N6 an enveloped initialize is refused like every request of a revision that is not served',
    verdict: '400 -32022',
    when: ({ body }, sdk) => methodOf(body) === 'initialize' && sdk === 'legacy' && isEnveloped(body),
  },
  {
    why: 'N7 a notification is accepted, whatever it says, because nothing is done with it',
    verdict: 'accepted',
    when: ({ body }, sdk) => methodOf(body) !== undefined && !hasId(body) && /-32602|-32020/.test(sdk),
  },
  {
    why: 'N7 a response is accepted as in earlier revisions',
    verdict: 'accepted',
    when: ({ body, protocolVersion }, sdk) =>
      sdk === 'legacy' && namesStateless(protocolVersion) && isObject(body) && 'result' in body,
  },
]

const metaOf = (body: unknown) => (body as { params?: { _meta?: Record<string, unknown> } }).params?._meta
const methodOf = (body: unknown) => (isObject(body) ? body.method : undefined)
const hasId = (body: unknown) => isObject(body) && 'id' in body
const isEnveloped = (body: unknown) => isObject(body) && isObject(metaOf(body)) && VERSION in metaOf(body)!

function isMalformed(body: unknown): boolean {
  const meta = metaOf(body)
  if (!meta || !(VERSION in meta)) return false
  const client = meta[CLIENT] as { version?: unknown } | undefined
  return (
    typeof meta[VERSION] !== 'string' || !isObject(meta[CAPABILITIES]) || (CLIENT in meta && !client?.version)
  )
}

function isMirrored({ body, protocolVersion, mcpMethod, mcpName }: Sent): boolean {
  const { method, params } = body as { method: string; params: { name?: string } }
  const isNamed = method !== 'tools/call' || params.name === undefined || plain(mcpName) === params.name
  return protocolVersion === metaOf(body)?.[VERSION] && mcpMethod === method && isNamed
}

const ENCODED = '=?base64?c3Zj?='
const plain = (name: string | undefined) => (name === ENCODED ? 'svc' : name)

const rarely = <T>(value: T, ...others: T[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
const client = { name: 'test', version: '1' }
const versions = [REVISION, '2025-11-25', '2025-03-26', '2099-01-01', 'v9', '']
const meta = fc.record(
  {
    [VERSION]: rarely<unknown>(REVISION, ...versions, 7, null),
    [CAPABILITIES]: rarely<unknown>({}, { roots: {} }, { extensions: { 'a/b': {} } }, null, 'x', []),
    [CLIENT]: rarely<unknown>(client, {}, 7, { name: 'x' }),
    progressToken: fc.constantFrom(1, 'p'),
  },
  { noNullPrototype: true, requiredKeys: [] },
)
const whole = fc.constant({ [VERSION]: REVISION, [CAPABILITIES]: {}, [CLIENT]: client })
const params = fc.record(
  { name: rarely('svc', 'other'), arguments: fc.constant({}), _meta: fc.oneof(whole, meta) },
  { noNullPrototype: true, requiredKeys: [] },
)
const methods = ['tools/list', 'tools/call', 'server/discover', 'initialize', 'ping', 'logging/setLevel', 'x']
const request = fc.record(
  {
    jsonrpc: fc.constant('2.0'),
    id: fc.constantFrom<unknown>(1, 'a', 0),
    method: fc.constantFrom(...methods),
    params,
  },
  { noNullPrototype: true, requiredKeys: ['jsonrpc', 'method'] },
)
const odd = fc.constantFrom<unknown>(
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', id: null, method: 'tools/list', params: { _meta: { [VERSION]: REVISION } } },
  { jsonrpc: '1.0', id: 1, method: 'tools/list' },
  { jsonrpc: '2.0', id: 1 },
  { id: 1, method: 'ping', params: {} },
  [],
  [7],
  7,
  null,
)
const sent = fc
  .record({
    body: fc.oneof(
      { weight: 12, arbitrary: request },
      { weight: 1, arbitrary: fc.array(request, { maxLength: 3 }) },
      { weight: 1, arbitrary: odd },
    ),
    version: rarely<string | undefined>('as in the body', undefined, ...versions),
    method: rarely<string | undefined>('as in the body', undefined, 'tools/list', 'TOOLS/CALL'),
    mcpName: rarely<string | undefined>(
      'svc',
      undefined,
      'other',
      ENCODED,
      '=?base64?!?=',
      '=?base64?/w==?=',
    ),
  })
  .map(({ body, version, method, mcpName }): Sent => {
    const claimed = isObject(body) ? metaOf(body)?.[VERSION] : undefined
    const protocolVersion = version === 'as in the body' ? asText(claimed) : version
    const mcpMethod = method === 'as in the body' ? asText(methodOf(body)) : method
    return { body, protocolVersion, mcpMethod, mcpName }
  })

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)

function verdictOf(sent: Sent): Verdict {
  const message = classify(sent.body, sent)
  if (message === null) return 'legacy'
  if (message.kind === 'request') return 'request'
  return message.kind === 'unanswered' ? 'accepted' : `${message.status} ${message.response.error.code}`
}

const handler = createMcpHandler(
  () => {
    const server = new Server({ name: 'x', version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', () => ({ tools: [] }))
    server.setRequestHandler('tools/call', () => ({ content: [] }))
    return server
  },
  { legacy: 'reject' },
)
t.teardown(() => handler.close())

async function verdictOfSdk({ body, protocolVersion, mcpMethod, mcpName }: Sent): Promise<Verdict> {
  const headers = {
    ...(protocolVersion !== undefined && { protocolVersionHeader: protocolVersion }),
    ...(mcpMethod !== undefined && { mcpMethodHeader: mcpMethod }),
    ...(mcpName !== undefined && { mcpNameHeader: mcpName }),
  }
  const route = classifyInboundRequest({ httpMethod: 'POST', body, ...headers })
  if (route.kind === 'legacy') return 'legacy'
  if (route.kind === 'reject') return `${route.httpStatus} ${route.code}`
  if (route.messageKind === 'notification') return 'accepted'
  // Required headers and the version are checked by the handler behind the classifier.
  const response = await handler.fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
        ...(mcpMethod !== undefined && { 'mcp-method': mcpMethod }),
        ...(mcpName !== undefined && { 'mcp-name': mcpName }),
      },
      body: JSON.stringify(body),
    }),
  )
  if (response.status === 200) return 'request'
  const { error } = (await response.json()) as { error: { code: number } }
  return `${response.status} ${error.code}`
}

t.test('N16 the classifier agrees with that of the official SDK, but for known differences', async t => {
  const seen = new Map<string, number>()
  const disagreements: object[] = []
  for (const one of fc.sample(sent, { numRuns: SAMPLES, seed: 20_260_728 })) {
    const sdk = await verdictOfSdk(one)
    const difference = differences.find(({ when }) => when(one, sdk))
    const ours = verdictOf(one)
    if (ours !== (difference?.verdict ?? sdk)) disagreements.push({ ...one, sdk, ours, why: difference?.why })
    for (const name of [difference?.why ?? '', sdk]) seen.set(name, (seen.get(name) ?? 0) + 1)
  }
  t.same(disagreements.slice(0, 5), [])
  if (process.env.DEEP) for (const { why } of differences) t.ok(seen.get(why), `still true: ${why}`)
  const verdicts = [
    'legacy',
    'request',
    'accepted',
    '400 -32020',
    '400 -32022',
    '400 -32600',
    '400 -32602',
    '404 -32601',
  ]
  for (const verdict of verdicts)
    t.ok((seen.get(verdict) ?? 0) > SAMPLES / 300, `${verdict}: ${seen.get(verdict)} times`)
})

type Headers = Partial<Omit<Sent, 'body'>>
const listing = { protocolVersion: REVISION, mcpMethod: 'tools/list', mcpName: undefined }
const calling = (mcpName: string | undefined) => ({ ...listing, mcpMethod: 'tools/call', mcpName })

function refusal(t: Test, body: unknown, headers: Headers, status: number, code: number) {
  const message = classify(body, { ...listing, ...headers })
  t.match(
    message,
    { kind: 'refused', status, response: { error: { code } } },
    JSON.stringify([body, headers]),
  )
  return (message as Refused).response
}

t.test('N3, N4 a missing or malformed member of the envelope is named, with the id', async t => {
  const without = (key: string) => Object.fromEntries(Object.entries(META).filter(([known]) => known !== key))
  const client = { name: 'x' }
  const values: [key: string, values: unknown[]][] = [
    [VERSION, [undefined, null, 7, {}, [REVISION]]],
    [CAPABILITIES, [undefined, null, 'x', []]],
    [CLIENT, [null, 7, [], {}, client, { version: '1' }, { ...client, version: 7 }]],
  ]
  for (const [key, wrong] of values)
    for (const value of wrong) {
      const _meta = value === undefined ? without(key) : { ...META, [key]: value }
      const { id, error } = refusal(t, rpc('x', 'tools/list', { _meta }), {}, 400, -32602)
      t.match([id, error.message], ['x', key])
    }
  for (const params of [undefined, {}, { _meta: 7 }])
    t.match(refusal(t, rpc(1, 'tools/list', params), {}, 400, -32602).error.message, VERSION)
  for (const batch of [[], [rpc(1, 'ping')], [7]]) t.notOk(refusal(t, batch, {}, 400, -32600).id)
  t.match(classify(rpc(1, 'tools/list', { _meta: without(CLIENT) }), listing), { kind: 'request' })
})

t.test('N5 a header that is missing or differs from the body is -32020, before the version (N6)', async t => {
  const call = stateless('tools/call', { name: 'svc' })
  const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`
  const wrong: [body: unknown, headers: Headers][] = [
    ...[undefined, '', '2025-11-25', '2099-01-01'].map((protocolVersion): [unknown, Headers] => [
      stateless('tools/list'),
      { protocolVersion },
    ]),
    ...[undefined, 'tools/call', 'TOOLS/LIST', base64('tools/list')].map((mcpMethod): [unknown, Headers] => [
      stateless('tools/list'),
      { mcpMethod },
    ]),
    ...[undefined, 'other', 'SVC', base64('other'), '=?base64?c3Zj', base64('svc').toUpperCase()].map(
      (name): [unknown, Headers] => [call, calling(name)],
    ),
    ...['=?base64?c3Zj!!!?=', '=?base64?/w==?=', 'é'].map((name): [unknown, Headers] => [
      stateless('tools/call', { name: name.slice(-1) }),
      calling(name),
    ]),
    [stateless('tools/call', { name: '\ufffd' }), calling('=?base64?/w==?=')],
    [stateless('tools/call', { name: 'svc' }), calling('=?base64?c3Z?=')],
    [rpc(1, 'tools/list', { _meta: { ...META, [VERSION]: '2099-01-01' } }), {}],
  ]
  for (const [body, headers] of wrong) refusal(t, body, headers, 400, -32020)
  const said = (headers: Headers, body = stateless('tools/list')) =>
    refusal(t, body, headers, 400, -32020).error.message
  t.strictSame(
    [said({ protocolVersion: 'x' }), said({ mcpMethod: 'x' }), said(calling('x'), call)],
    [
      `MCP-Protocol-Version must equal params._meta["${VERSION}"]`,
      'Mcp-Method must equal method',
      'Mcp-Name must equal params.name',
    ].map(which => `The header ${which} of the body.`),
  )
  for (const name of ['svc', base64('svc')]) t.match(classify(call, calling(name)), { kind: 'request' })
  t.match(classify(stateless('tools/call', { name: '=?base64?x' }), calling('=?base64?x')), {
    kind: 'request',
  })
  t.match(classify(stateless('tools/call', { name: 7 }), calling(undefined)), { kind: 'request' }, 'no name')
})

t.test('N6 a version that is not served is -32022 with those that are', async t => {
  for (const requested of ['2099-01-01', '2025-11-25', '', '__proto__']) {
    const body = rpc(1, 'tools/list', { _meta: { ...META, [VERSION]: requested } })
    const { error } = refusal(t, body, { protocolVersion: requested }, 400, -32022)
    t.strictSame(error.data, { supported: [REVISION], requested })
  }
})
