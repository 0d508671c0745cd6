// The cost of the service, compared with bare routes and with alternatives for the same work (DESIGN: performance budget):
//   npm run bench -- requests [--rounds 5] [--seconds 3] [--only TEXT] [--cpu-prof FOLDER]
// `--only`: subjects with this text in their name, besides the references.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { load, machine } from './figures.js'
import { Programs } from './load/programs.js'
import { measure, type Subject } from './load/rounds.js'
import { HEAD, rows } from './load/table.js'
import { mcpSubjects } from './mcp/part.js'
import { measureStarts, STARTS_HEAD } from './start/part.js'
import { tokenSubjects } from './token/part.js'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    'cpu-prof': { type: 'string' },
  },
})
const profiles = options['cpu-prof']
if (profiles) mkdirSync(profiles, { recursive: true })
const roundOptions = { rounds: Number(options.rounds), seconds: Number(options.seconds), profiles }

console.log(`${machine()}\n${versions()}`)
console.log(
  `Medians of ${options.rounds} interleaved rounds of ${options.seconds} s, 50 keep-alive connections.`,
)
for (const line of ['', ...HEAD]) console.log(line)
await part('**MCP requests**', mcpSubjects)
await part('**Tokens**', tokenSubjects)
const starts = await withRedis((programs, url) =>
  measureStarts(programs, url, roundOptions.rounds, options.only),
)
for (const line of starts.length > 0 ? ['', ...STARTS_HEAD, ...starts] : []) console.log(line)
console.log(`\nLoad average at the end ${load()}.`)

type Subjects = (programs: Programs, redisUrl: string) => Promise<Subject[]>

async function part(title: string, make: Subjects): Promise<void> {
  await withRedis(async (programs, redisUrl) => {
    const subjects = (await make(programs, redisUrl)).filter(wanted)
    if (subjects.every(({ role }) => role === 'reference')) return
    console.log(`| ${title} |${' |'.repeat(6)}`)
    for (const row of rows(await measure(subjects, roundOptions))) console.log(row)
  })
}

/** Child processes end with it. */
async function withRedis<T>(work: (programs: Programs, redisUrl: string) => Promise<T>): Promise<T> {
  const programs = new Programs()
  try {
    return await work(programs, await programs.startRedis())
  } finally {
    await programs.stop()
  }
}

function wanted({ name, role }: Subject): boolean {
  return role === 'reference' || name.includes(options.only)
}

function versions(): string {
  const packages = ['fastify', '@modelcontextprotocol/sdk', 'ioredis', 'oidc-provider', 'express']
  const of = (name: string) => {
    const places = ['node_modules', '../../node_modules'].map(
      folder => new URL(`${folder}/${name}/package.json`, import.meta.url),
    )
    return JSON.parse(readFileSync(places.find(existsSync) ?? name, 'utf8')).version
  }
  const [, redis] = /v=(\S+)/.exec(execFileSync('redis-server', ['--version'], { encoding: 'utf8' })) ?? []
  return `${packages.map(name => `${name} ${of(name)}`).join(', ')}, redis-server ${redis}`
}
