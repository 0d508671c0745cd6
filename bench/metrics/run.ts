// npm run bench -- metrics [--rounds 15] [--seconds 2] — what measuring itself adds to a request: services that differ only
// in METRICS_TOKEN are asked in turn. Prints the medians, and the median of the ratios of the rounds.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Connection, requestText } from '../load/connection.js'
import { Programs } from '../load/programs.js'
import { type Measured, measure, type Subject } from '../load/rounds.js'
import type { ServiceTold } from '../load/service.js'
import { median } from '../load/table.js'
import { headersFor, type McpServer, mcpClient, rpc } from '../mcp/clients.js'

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, seconds: { type: 'string', default: '2' } },
})
const BUDGET = 1.01
const REQUESTS = {
  ping: rpc('ping'),
  'a question': rpc('tools/call', { name: 'svc', arguments: { query: 'Who does Person B1 know?' } }),
}
const SERVICE = fileURLToPath(new URL('../load/service.js', import.meta.url))

const programs = new Programs()
try {
  const redisUrl = await programs.startRedis()
  const subjects: Subject[] = []
  for (const [setUp, url] of [
    ['embedded', ''],
    ['redis', redisUrl],
  ] as const) {
    const services = [await start(`${setUp}-on`, url, 'metrics'), await start(`${setUp}-off`, url, '')]
    for (const [name, body] of Object.entries(REQUESTS))
      for (const program of services) subjects.push(await subjectOf(`${setUp}: ${name}`, program, body))
  }
  const measured = await measure(subjects, {
    rounds: Number(options.rounds),
    seconds: Number(options.seconds),
    profiles: undefined,
  })
  console.log('| | CPU µs with metrics | without | ratio (budget) | rounds from – to |')
  console.log('|---|---:|---:|---:|---|')
  for (let i = 0; i < measured.length; i += 2) console.log(row(measured[i], measured[i + 1]))
} finally {
  await programs.stop()
}

function start(name: string, redisUrl: string, metrics: string) {
  return programs.start<ServiceTold>(SERVICE, join(programs.folder, name), redisUrl, '', '', metrics)
}

async function subjectOf(
  name: string,
  program: Awaited<ReturnType<typeof start>>,
  body: string,
): Promise<Subject> {
  const { accessToken } = program.told
  const server: McpServer = { path: '/mcp/v1', accessToken, revision: '2025-03-26' }
  const connection = await Connection.open(program.port)
  const headers = await headersFor(server, connection)
  const first = await connection.send(requestText('POST', server.path, headers, body))
  connection.close()
  return { name, program, newClient: () => mcpClient(server, body, first.body), work: '', clients: 2 }
}

function row(on?: Measured, off?: Measured): string {
  if (!on || !off) return ''
  const ratios = on.cpu.map((cpu, round) => cpu / (off.cpu[round] ?? 0)).sort((a, b) => a - b)
  const ratio = median(ratios)
  const shown = ratio <= BUDGET ? ratio.toFixed(3) : `**${ratio.toFixed(3)}**`
  const [least = 0, most = 0] = [ratios[0], ratios.at(-1)]
  const micros = [on, off].map(({ cpu }) => median(cpu).toFixed(1)).join(' | ')
  return `| ${on.name} | ${micros} | ${shown} (${BUDGET}) | ${least.toFixed(2)} – ${most.toFixed(2)} |`
}
