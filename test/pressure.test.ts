import { setTimeout as pause, setImmediate as turnEnd } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { Pressure } from '../plugins/pressure.js'
import { build } from './helper.js'

/** Requests let in of `count` that come in one turn, each of which takes `ms`. */
function admitted(pressure: Pressure, clock: { now: number }, count: number, ms: number): number {
  let admitted = 0
  pressure.turn(clock.now)
  for (let i = 0; i < count; i++) {
    if (!pressure.admits(clock.now)) continue
    admitted++
    clock.now += ms
  }
  return admitted
}

t.test('a pause of the process, and the turn that catches up with it, refuse nobody', async t => {
  const clock = { now: 0 }
  const pressure = new Pressure(clock.now)
  for (const lasted of [20, 400, 25, 3_600_000, 30, 150, 90]) {
    clock.now += lasted
    t.equal(admitted(pressure, clock, 80, 1), 80, `after ${lasted} ms`)
    pressure.turn(clock.now)
  }
})

t.test(
  'turns that stay long are overload: each lets in what comes in its first 40 ms, and 20 at least',
  async t => {
    const clock = { now: 0 }
    const pressure = new Pressure(clock.now)
    t.equal(admitted(pressure, clock, 300, 1), 300)
    t.equal(admitted(pressure, clock, 300, 1), 300, 'one long turn is none')
    t.equal(admitted(pressure, clock, 300, 1), 41)
    t.equal(admitted(pressure, clock, 300, 0.1), 300, 'quick ones all fit')
    t.equal(admitted(pressure, clock, 300, 10), 20, 'slow ones go on, too')
    clock.now += 900
    t.equal(admitted(pressure, clock, 300, 1), 41, 'not over yet')
    clock.now += 1001
    t.equal(admitted(pressure, clock, 300, 1), 300, 'nobody was refused for a second')
  },
)

t.test(
  'in overload 503 and Retry-After, each route in its own form; /healthz and /readyz answer',
  async t => {
    const lines: string[] = []
    const app = await build(t, { log: { write: line => lines.push(line) } })
    for (let i = 0; i < 2; i++) await longTurn(app)
    const first = Array.from({ length: 20 }, async () => (await app.inject('/healthz')).statusCode)
    busy(60)
    const json = { 'content-type': 'application/json' }
    const [mcp, token, metadata, page, health, ready] = await Promise.all([
      app.inject({ method: 'POST', url: '/mcp/v1', payload: '{}', headers: json }),
      app.inject({ method: 'POST', url: '/oauth/token', payload: '{}', headers: json }),
      app.inject('/.well-known/oauth-authorization-server'),
      app.inject({ url: '/login', headers: { accept: 'text/html' } }),
      app.inject('/healthz'),
      app.inject('/readyz'),
    ])
    for (const refused of [mcp, token, metadata, page]) {
      t.match(refused, { statusCode: 503, headers: { 'retry-after': '2', 'cache-control': 'no-store' } })
    }
    t.match(mcp.json(), { jsonrpc: '2.0', id: null, error: { code: -32000, message: /busy/ } })
    t.match(token.json(), { error: 'temporarily_unavailable', error_description: /busy/ })
    t.match(metadata.json(), { error: 'temporarily_unavailable' })
    t.match(page.headers['content-type'], /text\/html/)
    t.strictSame([health.statusCode, ready.statusCode], [200, 200])
    t.strictSame(new Set(await Promise.all(first)), new Set([200]))
    t.equal(lines.filter(line => line.includes('overload: more')).length, 1, 'one line for all of them')
    t.notOk(lines.some(line => line.includes('request failed')))

    while (!lines.some(line => line.includes('the overload is over'))) await pause(20)
    busy(60)
    t.equal((await app.inject('/.well-known/oauth-authorization-server')).statusCode, 200)
  },
)

/** A turn of the event loop that takes 200 ms, with 21 requests in it. */
async function longTurn(app: FastifyInstance): Promise<void> {
  const answers = Promise.all(Array.from({ length: 21 }, () => app.inject('/healthz')))
  await Promise.resolve()
  busy(200)
  await answers
  await pause(0)
  await turnEnd()
}

function busy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
