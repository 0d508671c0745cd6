// npm run bench -- fleet [SAFES QUESTIONS] — SAFES Safes (1,000,000), whose sizes and popularity follow Zipf's law, on 1 to 64
// processes that get QUESTIONS a second together (200), in the ten minutes after a release. First it measures what building,
// loading, sharing and answering cost on this machine, with the engine, files and Postgres; then it simulates. Of what is
// measured, processor time counts, so that it may run beside other programs.
import { cpus, loadavg } from 'node:os'
import { catalogue } from './catalogue.js'
import { type Cost, type Costs, costsOf, measureCosts } from './costs.js'
import { type Fleet, simulate } from './simulate.js'

const [safes, questionsPerSecond] = [Number(process.argv[2] ?? 1_000_000), Number(process.argv[3] ?? 200)]
const SECONDS = 600
const PROCESSES = [1, 4, 16, 64]
const ROUTINGS: Fleet['routing'][] = ['nothing', 'connection', 'Safe']
const SHARED: Fleet['shared'][] = ['no Safe', 'large Safes', 'all Safes']
const CACHES = [128, 512, 2048]

const load = loadavg()[0] ?? 0
console.log(
  `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, load average ${load.toFixed(1)}\n`,
)
const measured = await measureCosts()
const all = [...measured, costsOf(measured, 1_000_000)]
row('facts', 'index MB', 'build', 'load file', 'load shared', 'share', 'answer')
row('---:', '---:', '---:', '---:', '---:', '---:', '---:')
for (const costs of all) tell(costs)
const small = measured[0] as Costs
console.log(
  `\nMilliseconds of processor time, own + Postgres; the last line is extrapolated. Besides its bytes, an index takes ${(small.objects / 1000).toFixed(1)} kB of objects.\n`,
)

const library = catalogue(safes)
const sum = library.facts.reduce((sum, facts) => sum + facts, 0)
const large = library.facts.filter(facts => facts > 5_000).length
console.log(
  `${safes.toLocaleString('en')} Safes, ${(sum / 1e6).toFixed(0)} million facts, ${large.toLocaleString('en')} Safes above 5,000; ${questionsPerSecond} questions a second, ${SECONDS / 60} minutes from a release on\n`,
)
head()
for (const processes of PROCESSES)
  for (const routing of processes === 1 ? ROUTINGS.slice(0, 1) : ROUTINGS)
    for (const shared of SHARED) show({ processes, routing, shared, cacheBytes: 512 * 2 ** 20 })
console.log('\nOther values of INDEX_CACHE_MB, 4 processes:\n')
head()
for (const megabytes of CACHES)
  for (const routing of ROUTINGS.filter(routing => routing !== 'connection'))
    show({ processes: 4, routing, shared: 'large Safes', cacheBytes: megabytes * 2 ** 20 }, `${megabytes} MB`)

function show(fleet: Fleet, note = ''): void {
  const outcome = simulate(fleet, {
    catalogue: library,
    costsOf: facts => costsOf(measured, facts),
    questionsPerSecond,
    seconds: SECONDS,
  })
  const percent = (share: number, digits = 0) => `${(share * 100).toFixed(digits)} %`
  row(
    `${fleet.processes}${note && `, ${note}`}`,
    fleet.routing,
    fleet.shared,
    percent(outcome.hits, 1),
    outcome.buildsPerSecond.toFixed(1),
    outcome.loadsPerSecond.toFixed(1),
    outcome.megabytes.toFixed(0),
    `${outcome.firstP50.toFixed(0)} / ${outcome.firstP99.toFixed(0)}`,
    (outcome.slow * 10_000).toFixed(1),
    percent(outcome.main),
    percent(outcome.thread),
    outcome.postgres.toFixed(2),
  )
}

function head(): void {
  row(
    'processes',
    'routed by',
    'shared',
    'hits',
    'builds/s',
    'loads/s',
    'MB of indexes each',
    'first answer p50 / p99 ms',
    'of 10,000 over 1 s',
    'busiest main thread',
    'busiest index thread',
    'processors of Postgres',
  )
  row(...Array.from({ length: 12 }, (_, at) => (at < 3 ? '---' : '---:')))
}

function tell({ facts, bytes, build, file, shared, share, answer }: Costs): void {
  const cost = ({ own, postgres }: Cost) => `${digits(own)} + ${digits(postgres)}`
  const megabytes = bytes / 1e6
  row(
    facts.toLocaleString('en'),
    digits(megabytes),
    cost(build),
    digits(file.own),
    cost(shared),
    cost(share),
    cost(answer),
  )
}

function digits(number: number): string {
  return number.toFixed(number < 10 ? 2 : 0)
}

function row(...cells: string[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}
