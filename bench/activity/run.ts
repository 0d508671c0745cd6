// npm run bench -- activity [--rounds 15] [--seconds 2] — what recording the activity adds to a question: two services
// that differ in ACTIVITY_DAYS only are asked in turn. Prints the medians, and the median of the ratios of the rounds.
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
  options: {
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '2' },
    'cpu-prof': { type: 'string' },
  },
})
const BUDGET = 1.02
const QUESTION = rpc('tools/call', { name: 'svc', arguments: { query: 'Who does Person B1 know?' } })
const SERVICE = fileURLToPath(new URL('../load/service.js', import.meta.url))

const programs = new Programs()
try {
  const redisUrl = await programs.startRedis()
  const subjects: Subject[] = []
  for (const [setUp, url] of [
    ['embedded', ''],
    ['redis', redisUrl],
  ] as const) {
    for (const days of ['30', '0']) subjects.push(await subjectOf(setUp, url, days))
  }
  const { rounds, seconds, 'cpu-prof': profiles } = options
  const measured = await measure(subjects, { rounds: Number(rounds), seconds: Number(seconds), profiles })
  console.log('| set-up | CPU µs with activity | without | ratio (budget) | rounds from – to |')
  console.log('|---|---:|---:|---:|---|')
  for (let i = 0; i < measured.length; i += 2) console.log(row(measured[i], measured[i + 1]))
} finally {
  await programs.stop()
}

async function subjectOf(setUp: string, redisUrl: string, days: string): Promise<Subject> {
  const folder = join(programs.folder, `${setUp}-${days}`)
  const program = await programs.start<ServiceTold>(SERVICE, folder, redisUrl, '', days)
  const server: McpServer = {
    path: '/mcp/v1',
    accessToken: program.told.accessToken,
    revision: '2025-03-26',
  }
  const connection = await Connection.open(program.port)
  const headers = await headersFor(server, connection)
  const { body } = await connection.send(requestText('POST', server.path, headers, QUESTION))
  connection.close()
  if (!body.includes('Person B1')) throw new Error(body)
  return {
    name: days === '0' ? `${setUp}, off` : setUp,
    program,
    newClient: () => mcpClient(server, QUESTION, body),
    work: '',
    clients: 10,
  }
}

function row(on?: Measured, off?: Measured): string {
  if (!on || !off) return ''
  const ratios = on.cpu.map((cpu, round) => cpu / (off.cpu[round] ?? 0)).sort((a, b) => a - b)
  const ratio = median(ratios)
  const shown = ratio <= BUDGET ? ratio.toFixed(3) : `**${ratio.toFixed(3)}**`
  const [least = 0, most = 0] = [ratios[0], ratios.at(-1)]
  const micros = [on, off].map(({ cpu }) => median(cpu).toFixed(0)).join(' | ')
  return `| ${on.name} | ${micros} | ${shown} (${BUDGET}) | ${least.toFixed(2)} – ${most.toFixed(2)} |`
}
