import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { freePort } from '../../free-port.js'
import { build, setUp } from '../../helper.js'
import { rpc } from '../../unit/mcp/domain.js'
import { buildService, fill } from '../mcp/service.js'
import { startCollector } from './collector.js'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const OTHER_TRACE = '0af7651916cd43dd8448eb211c80319c'
const OTHER_PARENT = 'b7ad6b7169203331'
const SERVER = 2

t.test('nothing is traced without OTEL_EXPORTER_OTLP_ENDPOINT', async t => {
  t.equal((await build(t)).traces, null)
})

t.test('a trace has the request, the tool call, the search and the stores', async t => {
  const collector = await startCollector(t)
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-token=a%20secret,x-team=ops',
  }
  const { app, ann, harbour, issue, poster } = await buildService(t, { env })
  await fill(app, ann, harbour)
  const { accessToken } = await issue(ann)
  const { post } = poster({ accessToken })
  const question = { name: 'svc', arguments: { query: 'Who designed the crane?', safe: harbour } }
  await post(rpc(1, 'tools/call', question), { traceparent: `00-${TRACE}-${PARENT}-01` })
  await app.close()

  const { spans } = collector
  const request = spans.find(({ name }) => name === 'POST /mcp/v1')
  t.match(request, {
    traceId: TRACE,
    parentSpanId: PARENT,
    kind: SERVER,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/mcp/v1',
      'http.response.status_code': '200',
    },
  })
  const call = spans.find(({ name }) => name === 'tools/call svc')
  t.match(call, {
    traceId: TRACE,
    parentSpanId: request?.spanId,
    attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'svc' },
  })
  t.match(
    spans.find(({ name }) => name === 'search'),
    { traceId: TRACE, parentSpanId: call?.spanId },
  )
  t.ok(
    spans.every(({ name }) => name !== 'open index'),
    'work outside of requests is not traced',
  )
  const store = setUp === 'postgres' ? 'postgres' : 'sqlite'
  const select = spans.filter(({ name }) => name === `${store} select`)
  t.ok(select.some(({ parentSpanId }) => parentSpanId === call?.spanId))
  if (setUp !== 'embedded') {
    const redis = spans.find(({ name, traceId }) => name.startsWith('redis ') && traceId === TRACE)
    t.equal(redis?.attributes['db.system.name'], 'redis')
    t.equal(redis?.parentSpanId, request?.spanId, 'the token is looked up before the tool is called')
  }
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    t.ok(BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano))

  t.match(collector.received[0], {
    url: '/v1/traces',
    headers: { 'x-collector-token': 'a secret', 'x-team': 'ops' },
    resource: { 'service.name': 'svc', 'service.version': /^\d/ },
  })
  const text = collector.bodies.join()
  for (const secret of ['crane', 'Ada', 'Harbour', harbour, ann, accessToken])
    t.notOk(text.includes(secret), `no span contains ${secret}`)
})

t.test('a trace in `_meta` of a message is continued, with a link to the request (SEP-414)', async t => {
  const collector = await startCollector(t)
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const { app, ann, issue, poster } = await buildService(t, { env })
  const { post } = poster(await issue(ann))
  const _meta = { traceparent: `00-${OTHER_TRACE}-${OTHER_PARENT}-01`, tracestate: 'vendor=1' }
  await post(rpc(1, 'tools/call', { name: 'svc_list_safes', arguments: {}, _meta }), {
    traceparent: `00-${TRACE}-${PARENT}-01`,
  })
  await app.close()
  const request = collector.spans.find(({ name }) => name === 'POST /mcp/v1')
  const call = collector.spans.find(({ name }) => name === 'tools/call svc_list_safes')
  t.match(call, { traceId: OTHER_TRACE, parentSpanId: OTHER_PARENT })
  t.match(call?.links, [{ traceId: TRACE, spanId: request?.spanId }])
  const below = collector.spans.filter(({ parentSpanId }) => parentSpanId === call?.spanId)
  t.ok(below.length > 0)
  for (const { traceId } of below) t.equal(traceId, OTHER_TRACE)
})

t.test('what a client makes up is in no span, and a bad traceparent is ignored', async t => {
  const collector = await startCollector(t)
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const { app, ann, issue, poster } = await buildService(t, { env })
  const { post } = poster(await issue(ann))
  await post(rpc(1, 'made/up'))
  await post(rpc(2, 'tools/call', { name: 'madeup_tool', arguments: {} }))
  for (const traceparent of ['madeup', `00-${'0'.repeat(32)}-${PARENT}-01`, 7, null, { madeup: 1 }])
    t.equal((await post(rpc(3, 'ping', { _meta: { traceparent, madeup: 'madeup' } }))).status, 200)
  await app.inject({
    url: '/madeup/path?madeup=1',
    headers: { traceparent: 'madeup', baggage: 'madeup=1' },
  })
  await app.close()
  const names = collector.spans.map(({ name }) => name)
  t.same(
    names.filter(name => name.startsWith('ping')),
    ['ping', 'ping', 'ping', 'ping', 'ping'],
  )
  const span = (name: string) => collector.spans.find(span => span.name === name)
  t.match(span('other'), { isError: true, attributes: { 'error.type': '-32601' } })
  t.match(span('tools/call'), { isError: true })
  t.ok(names.includes('GET none'))
  t.notMatch(collector.bodies.join(), /made.?up/)
})

t.test('a trace that its sender does not record is not recorded', async t => {
  const collector = await startCollector(t)
  const app = await build(t, { env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
  await app.inject({ url: '/healthz', headers: { traceparent: `00-${TRACE}-${PARENT}-00` } })
  await app.inject('/readyz')
  await app.close()
  t.notOk(collector.spans.some(({ name }) => name === 'GET /healthz'))
  t.ok(collector.spans.some(({ name }) => name === 'GET /readyz'))
})

t.test('an unreachable collector is logged once, and requests are answered', async t => {
  process.env.OTEL_BSP_SCHEDULE_DELAY = '20'
  process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '100'
  t.teardown(() => {
    delete process.env.OTEL_BSP_SCHEDULE_DELAY
    delete process.env.OTEL_EXPORTER_OTLP_TIMEOUT
  })
  const lines: string[] = []
  const log = { write: (line: string) => void lines.push(line) }
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`, LOG_LEVEL: 'warn' }
  const app = await build(t, { env, log })
  const timesLogged = () => lines.filter(line => line.includes('traces cannot be sent')).length
  while (timesLogged() === 0) {
    const { statusCode } = await app.inject('/readyz')
    if (statusCode !== 200) throw new Error(`readyz ${statusCode}`)
    await pause(20)
  }
  await app.inject('/readyz')
  await app.close()
  t.equal(timesLogged(), 1)
})

t.test('a collector that never answers does not keep the service from stopping', async t => {
  const collector = await startCollector(t, true)
  const app = await build(t, { env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
  t.equal((await app.inject('/readyz')).statusCode, 200)
  await app.close()
  t.match(collector.bodies.join(), /readyz/, 'it got the last spans')
  t.same(collector.spans, [])
})
