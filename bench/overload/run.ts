// What the service does with more requests than it can answer: an open loop of half, all, and three times what one
// process can carry; then one connection that sends three times as much while ten others ask twice a second each.
//   npm run bench -- overload [--seconds 8] [--call ask|ping] [--set-up embedded|redis]
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { freePort } from '../../test/free-port.js'
import { Crowd } from './crowd.js'
import type { Counted } from './generator.js'
import { type Service, startService } from './service.js'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    call: { type: 'string', default: '' },
    'set-up': { type: 'string', default: '' },
  },
})
const seconds = Number(options.seconds)
/** Of a crowd. Each may make 50 requests a second, so that together they are not what is limited. */
const CONNECTIONS = 1000
const SOCKETS = 2000
const OTHERS = 10
/** Who keeps one process busy without a queue, for what it can carry. */
const CLOSED_LOOP = 16
const CALLS: Record<string, object> = {
  ask: {
    method: 'tools/call',
    params: { name: 'svc', arguments: { query: 'Who does Person B1 know?', max_tokens: 1000 } },
  },
  ping: { method: 'ping' },
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const ended: (() => Promise<void>)[] = []
try {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, load average ${load()}`)
  console.log(
    `Open loop, ${seconds} s each. Requests per second; milliseconds p50 / p99. "carried": in a closed`,
  )
  console.log(
    'loop just before. "late": how much later than due requests left, p99. "CPU": of the service.\n',
  )
  console.log(
    '| | carried | offered | 200 | 503 | 429 | broken | 200 after | 503 after | 429 after | late | CPU |',
  )
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|')
  for (const setUp of ['embedded', 'redis']) {
    if (!setUp.includes(options['set-up'])) continue
    const redisUrl = setUp === 'redis' ? await startRedis() : ''
    for (const call of Object.keys(CALLS))
      if (call.includes(options.call)) await measure(setUp, call, redisUrl)
  }
  console.log(`\nload average at the end ${load()}`)
} finally {
  for (const end of ended.reverse()) await end()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(setUp: string, call: string, redisUrl: string): Promise<void> {
  const service = await startService(join(folder, `${setUp}-${call}`), redisUrl, CONNECTIONS + OTHERS + 1)
  ended.push(service.stop)
  const { port, tokens } = service
  const [flooding = '', ...rest] = tokens
  const clients = async (sockets: number, tokens: string[], call: string) => {
    const crowd = await Crowd.of({ port, sockets, requests: tokens.map(token => request(token, call)) })
    ended.push(() => crowd.leave())
    return crowd
  }
  const crowd = await clients(SOCKETS, rest.slice(OTHERS), call)
  const others = await clients(OTHERS * 4, rest.slice(0, OTHERS), 'ask')
  const flood = await clients(SOCKETS, [flooding], call)
  await crowd.saturate(CLOSED_LOOP, 4)
  const carried = () => crowd.saturate(CLOSED_LOOP, 3)
  for (const times of [0.5, 1, 3]) {
    const capacity = await carried()
    const [counted, cpu] = await during(service, crowd.run(times * capacity, seconds))
    print(`${setUp}: ${call}, ${times} ×`, capacity, counted, cpu)
  }
  const capacity = await carried()
  const both = Promise.all([flood.run(3 * capacity, seconds), others.run(2 * OTHERS, seconds)])
  const [[one, ten], cpu] = await during(service, both)
  print(`${setUp}: ${call}, one connection sends 3 ×`, capacity, one, cpu)
  print(`${setUp}: ask, ten others meanwhile`, capacity, ten, cpu)
  for (const end of ended.splice(-4).reverse()) await end()
}

/** Also the share of a processor that the service had meanwhile. */
async function during<T>(service: Service, work: Promise<T>): Promise<[T, number]> {
  const [began, before] = [performance.now(), service.cpu()]
  const done = await work
  return [done, ((service.cpu() - before) * 1000) / (performance.now() - began)]
}

function request(token: string, call: string): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...CALLS[call] })
  const head = ['POST /mcp/v1 HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${token}`]
  return [...head, 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body].join('\r\n')
}

function print(
  name: string,
  capacity: number,
  { offered, byStatus, times, lag }: Counted,
  cpu: number,
): void {
  const rate = (status: number) => ((byStatus.get(status) ?? 0) / seconds).toFixed(status === 0 ? 1 : 0)
  const after = [200, 503, 429].map(status => spread(times.get(status) ?? []))
  const late = `${percentile(lag, 0.99)}`
  const cells = [capacity.toFixed(0), (offered / seconds).toFixed(0), ...[200, 503, 429, 0].map(rate)]
  console.log(`| ${[name, ...cells, ...after, late, `${(cpu * 100).toFixed(0)} %`].join(' | ')} |`)
}

function spread(times: number[]): string {
  return times.length === 0 ? '–' : `${percentile(times, 0.5)} / ${percentile(times, 0.99)}`
}

function percentile(times: number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.floor(sorted.length * part)] ?? 0)
}

function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1)
}

async function startRedis(): Promise<string> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  const child: ChildProcess = spawn('redis-server', args, { stdio: 'ignore' })
  ended.push(async () => {
    child.kill()
    await once(child, 'exit')
  })
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null })
  redis.on('error', () => {})
  await redis.ping()
  redis.disconnect()
  return `redis://127.0.0.1:${port}`
}
