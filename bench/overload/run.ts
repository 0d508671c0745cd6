// What the service does with more requests than it can answer: an open loop of half, all, and three times what one
// process can carry; then one connection that floods it while others go on.
//   npm run bench:overload -- [--seconds 8] [--call ask|ping] [--set-up embedded|redis]
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { freePort } from '../../test/free-port.js'
import { type Counted, Generator } from './generator.js'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    call: { type: 'string', default: '' },
    'set-up': { type: 'string', default: '' },
  },
})
const seconds = Number(options.seconds)
/** Each may make 50 requests a second, so that together they are not what is limited. */
const CONNECTIONS = 1000
const CALLS: Record<string, object> = {
  ask: {
    method: 'tools/call',
    params: { name: 'svc', arguments: { query: 'Who does Person B1 know?', max_tokens: 1000 } },
  },
  ping: { method: 'ping' },
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const children: ChildProcess[] = []
try {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, load average ${load()}`)
  console.log(`Open loop, ${seconds} s each. Per second, and milliseconds p50 / p99.\n`)
  console.log('| | offered | answered | 503 | 429 | broken | answered after | refused after |')
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|')
  for (const setUp of ['embedded', 'redis']) {
    if (!setUp.includes(options['set-up'])) continue
    const redisUrl = setUp === 'redis' ? await startRedis() : ''
    for (const call of Object.keys(CALLS))
      if (call.includes(options.call)) await measure(setUp, call, redisUrl)
  }
  console.log(`\nload average at the end ${load()}`)
} finally {
  for (const child of children.reverse()) await stop(child)
  rmSync(folder, { recursive: true, force: true })
}

async function measure(setUp: string, call: string, redisUrl: string): Promise<void> {
  const service = await startService(join(folder, `${setUp}-${call}`), redisUrl)
  const { port, tokens } = service
  let turn = 0
  const others = new Generator(port, () => request(tokens[1 + (turn++ % (CONNECTIONS - 1))] ?? '', call))
  await others.open()
  await others.saturate(50, 4)
  const capacity = await others.saturate(50, 4)
  for (const times of [0.5, 1, 3]) {
    print(
      `${setUp}: ${call}, ${times} × ${Math.round(capacity)}`,
      await others.run(times * capacity, seconds),
    )
  }
  const flood = new Generator(port, () => request(tokens[0] ?? '', call))
  await flood.open()
  const [flooding, beside] = await Promise.all([
    flood.run(3 * capacity, seconds),
    others.run(capacity / 10, seconds),
  ])
  print(`${setUp}: ${call}, one connection floods`, flooding)
  print(`${setUp}: ${call}, the others meanwhile`, beside)
  others.close()
  flood.close()
  await stop(service.child)
}

function request(token: string, call: string): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...CALLS[call] })
  const head = ['POST /mcp/v1 HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${token}`]
  return [...head, 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body].join('\r\n')
}

function print(name: string, { offered, byStatus, times }: Counted): void {
  const rate = (status: number) => Math.round((byStatus.get(status) ?? 0) / seconds)
  const refused = [...(times.get(503) ?? []), ...(times.get(429) ?? [])]
  const cells = [Math.round(offered / seconds), rate(200), rate(503), rate(429), rate(0)]
  console.log(`| ${name} | ${cells.join(' | ')} | ${spread(times.get(200) ?? [])} | ${spread(refused)} |`)
}

function spread(times: number[]): string {
  if (times.length === 0) return '–'
  const sorted = [...times].sort((a, b) => a - b)
  const at = (part: number) => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0)
  return `${at(0.5)} / ${at(0.99)}`
}

function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1)
}

async function startService(path: string, redisUrl: string) {
  const child = fork(new URL('service.ts', import.meta.url), [path, redisUrl, String(CONNECTIONS)], {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, NODE_ENV: 'production' },
    // Its log goes where a log goes.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  children.push(child)
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the service did not start'))),
  ])
  return { child, ...(message as { port: number; tokens: string[] }) }
}

async function startRedis(): Promise<string> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  children.push(spawn('redis-server', args, { stdio: 'ignore' }))
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null })
  redis.on('error', () => {})
  await redis.ping()
  redis.disconnect()
  return `redis://127.0.0.1:${port}`
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
