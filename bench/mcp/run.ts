// Requests per second of the MCP endpoint, beside a bare Fastify route with one Redis GET (DESIGN §6):
//   npx tsx bench/mcp/run.ts [--rounds 5] [--seconds 3] [--only TEXT] [--cpu-prof FOLDER]
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { Redis } from 'ioredis'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    'cpu-prof': { type: 'string' },
  },
})

interface Subject {
  name: string
  url: string
  headers: Record<string, string>
  body: string
  server: ChildProcess
  /** Requests per second, one figure a round. */
  figures: number[]
  /** Microseconds of the server's CPU per request, one figure a round: steadier on a machine that does other work. */
  cpu: number[]
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const children: ChildProcess[] = []
try {
  const redisUrl = await startRedis()
  const reference = await start('reference.ts', [redisUrl])
  const subjects = [subject('reference', reference, rpc('ping'))]
  for (const setUp of ['embedded', 'redis']) {
    const args = [join(folder, setUp), ...(setUp === 'redis' ? [redisUrl] : [])]
    const service = await start('service.ts', args)
    for (const [call, body, revision] of calls()) {
      const name = `${setUp}: ${call}`
      if (!name.includes(options.only)) continue
      subjects.push(subject(name, service, body, revision))
    }
  }
  for (const each of subjects) await check(each)
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const each of subjects) await measure(each)
  }
  print(subjects)
} finally {
  await Promise.all(children.map(stop))
  rmSync(folder, { recursive: true, force: true })
}

function calls(): [name: string, body: string, revision: string][] {
  const ask = (query: string) => rpc('tools/call', { name: 'svc', arguments: { query } })
  return [
    ['ping', rpc('ping'), '2025-03-26'],
    ['tools/list', rpc('tools/list'), '2025-03-26'],
    ['tools/call, constant time', ask('constant'), '2025-03-26'],
    ['tools/call, constant time, structured', ask('constant'), '2025-11-25'],
    ['tools/call, svc over a small Safe', ask('Who does Person B1 know?'), '2025-03-26'],
    [
      'tools/call, svc_list_safes',
      rpc('tools/call', { name: 'svc_list_safes', arguments: {} }),
      '2025-03-26',
    ],
  ]
}

function rpc(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

function subject(name: string, server: Started, body: string, revision?: string): Subject {
  // The reference hashes a token as long as ours.
  const token = server.accessToken ?? `svc_at_${'0'.repeat(66)}`
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(revision ? { 'mcp-protocol-version': revision } : {}),
  }
  return { name, url: server.address, headers, body, server: server.child, figures: [], cpu: [] }
}

/** A figure of refusals would look splendid. */
async function check({ name, url, headers, body }: Subject): Promise<void> {
  const reply = await fetch(url, { method: 'POST', headers, body })
  const text = await reply.text()
  if (!reply.ok || text.includes('"isError":true') || text.includes('"error"')) {
    throw new Error(`${name}: ${reply.status} ${text.slice(0, 300)}`)
  }
}

async function measure({ url, headers, body, server, figures, cpu }: Subject): Promise<void> {
  const duration = Number(options.seconds)
  const before = await cpuOf(server)
  const result = await autocannon({ url, method: 'POST', headers, body, connections: 50, duration })
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`)
  figures.push(result.requests.average)
  cpu.push(((await cpuOf(server)) - before) / result.requests.total)
}

async function cpuOf(server: ChildProcess): Promise<number> {
  server.send('cpu')
  const [usage] = await once(server, 'message')
  return usage.user + usage.system
}

interface Started {
  child: ChildProcess
  address: string
  accessToken?: string
}

async function start(file: string, args: string[]): Promise<Started> {
  const profile = options['cpu-prof']
  const execArgv = ['--import', 'tsx', ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [])]
  const env = { ...process.env, NODE_ENV: 'production' }
  const child = fork(new URL(file, import.meta.url), args, { execArgv, env })
  children.push(child)
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${file} did not start`))),
  ])
  return { child, ...message }
}

async function startRedis(): Promise<string> {
  const port = await new Promise<number>(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
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

function print(subjects: Subject[]): void {
  const median = (figures: number[]) => [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? 0
  const [reference] = subjects
  const base = { figure: median(reference?.figures ?? []), cpu: median(reference?.cpu ?? []) }
  const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`
  console.log(`${machine}; medians of ${options.rounds} interleaved rounds of ${options.seconds} s\n`)
  console.log('| | requests/s | of the reference | CPU µs/request | of the reference |')
  console.log('|---|---:|---:|---:|---:|')
  for (const { name, figures, cpu } of subjects) {
    const [figure, time] = [median(figures), median(cpu)]
    const cells = [Math.round(figure), (figure / base.figure).toFixed(2), Math.round(time)]
    console.log(`| ${name} | ${cells.join(' | ')} | ${(base.cpu / time).toFixed(2)} |`)
  }
}
