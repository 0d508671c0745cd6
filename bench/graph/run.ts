// npm run bench -- graph [10000 100000 wordnet] — time and memory of the index and of questions, on generated graphs and
// on WordNet. Each question is asked three times and its best time counts, by the clock and in
// processor time, because what else the machine does is not what is measured.
import { mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Layout } from '../../graph/index/buffers.js'
import type { SafeIndex } from '../../graph/index/safe-index.js'
import { type Graph, generated, wordnet } from './rows.js'
import { stored } from './stored-graph.js'

// As built: what runs TypeScript directly adds to the cost of every function.
const built = (file: string) => import(new URL(`../../dist/graph/${file}.js`, import.meta.url).href)
const { byteLengthOf, fromBuffers, toBuffers }: typeof import('../../graph/index/buffers.js') =
  await built('index/buffers')
const { query }: typeof import('../../graph/retrieval/query.js') = await built('retrieval/query')
const { buildIndex }: typeof import('../../graph/index/build-index.js') = await built('index/build-index')

const asked = process.argv.slice(2)
const sizes = asked.length > 0 ? asked.map(Number).filter(Boolean) : [10_000, 100_000, 1_000_000]

const p50s: number[] = []
for (const size of sizes) await measure(generated(size))
if (p50s.length > 1) {
  const ratio = (p50s.at(-1) ?? 0) / (p50s[0] ?? 1)
  console.log(`\nprocessor p50 of the largest generated graph ÷ that of the smallest: ${ratio.toFixed(2)}`)
}
if (asked.length === 0 || asked.includes('wordnet')) await measure(await wordnet())

async function measure(graph: Graph): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-graph-'))
  try {
    const { source, close } = await stored(folder, graph)
    console.log(`\n${graph.name} facts`)
    const before = process.cpuUsage()
    const [index, seconds] = await timed(() => buildIndex(source))
    const processor = milliseconds(process.cpuUsage(before)) / 1000
    const bytes = byteLengthOf(index)
    console.log(
      `  build ${seconds.toFixed(2)} s, processor ${processor.toFixed(2)} s (reading rows included); ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / graph.facts).toFixed(1)} bytes a fact`,
    )
    await snapshot(join(folder, 'snapshot'), index, graph)
    const own = times(question => query(index, { query: question, limit: 10, offset: 0 }), graph.questions)
    if (graph.name.startsWith('generated')) p50s.push(own.processor.p50)
    tell('this engine', own)
    await close()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A file with the layout's length, the layout and the memory; loaded into shared memory and asked once. */
async function snapshot(
  file: string,
  index: SafeIndex,
  { questions: [question = ''] }: Graph,
): Promise<void> {
  const [, save] = await timed(async () => {
    const { layout, bytes } = toBuffers(index)
    writeFileSync(`${file}.json`, JSON.stringify(layout))
    writeFileSync(file, bytes)
  })
  const [, load] = await timed(async () => {
    const layout: Layout = JSON.parse(readFileSync(`${file}.json`, 'utf8'))
    const bytes = new Uint8Array(new SharedArrayBuffer(statSync(file).size))
    readSync(openSync(file, 'r'), bytes)
    const loaded = fromBuffers(layout, bytes)
    if (!loaded) throw new Error('the snapshot does not fit')
    query(loaded, { query: question, limit: 10, offset: 0 })
  })
  console.log(
    `  snapshot: saved in ${(save * 1e3).toFixed(0)} ms, loaded with a first answer in ${(load * 1e3).toFixed(0)} ms`,
  )
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const started = performance.now()
  return [await work(), (performance.now() - started) / 1000]
}

interface Percentiles {
  p50: number
  p99: number
}

interface Times {
  clock: Percentiles
  /** User and system time of the whole process, so that it has the garbage collector's threads in it. */
  processor: Percentiles
}

function times(search: (question: string) => unknown, questions: readonly string[]): Times {
  for (const question of questions.slice(0, 200)) search(question)
  const clock: number[] = []
  const processor: number[] = []
  for (const question of questions) {
    const tries = [1, 2, 3].map(() => {
      const usage = process.cpuUsage()
      const started = performance.now()
      search(question)
      return { clock: performance.now() - started, processor: milliseconds(process.cpuUsage(usage)) }
    })
    clock.push(Math.min(...tries.map(({ clock }) => clock)))
    processor.push(Math.min(...tries.map(({ processor }) => processor)))
  }
  return { clock: percentiles(clock), processor: percentiles(processor) }
}

function percentiles(times: number[]): Percentiles {
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}

function tell(name: string, { clock, processor }: Times): void {
  const both = ({ p50, p99 }: Percentiles) => `p50 ${p50.toFixed(3)} p99 ${p99.toFixed(3)} ms`
  console.log(`  ${name.padEnd(12)} clock ${both(clock)}   processor ${both(processor)}`)
}
