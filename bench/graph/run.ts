// npm run bench -- graph [10000 100000 wordnet] — time and memory of the index and of questions, on generated graphs and
// on WordNet. Each question is asked three times and its best time counts, by the clock and in
// processor time, to exclude other work of the machine.
import { mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Layout } from '../../engine/graph/index/buffers.js'
import type { SafeIndex } from '../../engine/graph/index/safe-index.js'
import { percentile, timed } from '../figures.js'
import { type Graph, generated, wordnet } from './rows.js'
import { stored } from './stored-graph.js'

// Compiled: running TypeScript directly adds to the cost of every function.
const built = (file: string) => import(new URL(`../../dist/engine/graph/${file}.js`, import.meta.url).href)
const { byteLengthOf, fromBuffers, toBuffers }: typeof import('../../engine/graph/index/buffers.js') =
  await built('index/buffers')
const { query }: typeof import('../../engine/graph/retrieval/query.js') = await built('retrieval/query')
const { buildIndex }: typeof import('../../engine/graph/index/build-index.js') =
  await built('index/build-index')

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
    const { result: index, clock, processor } = await timed(() => buildIndex(source))
    const bytes = byteLengthOf(index)
    console.log(
      `  build ${(clock / 1000).toFixed(2)} s, processor ${(processor / 1000).toFixed(2)} s (reading rows included); ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / graph.facts).toFixed(1)} bytes a fact`,
    )
    await snapshot(join(folder, 'snapshot'), index, graph)
    const own = times(question => query(index, { query: question, limit: 10, offset: 0 }), graph.questions)
    if (graph.name.startsWith('generated')) p50s.push(percentile(own.processor, 0.5))
    tell(own)
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
  const saved = await timed(() => {
    const { layout, bytes } = toBuffers(index)
    writeFileSync(`${file}.json`, JSON.stringify(layout))
    writeFileSync(file, bytes)
  })
  const loaded = await timed(() => {
    const layout: Layout = JSON.parse(readFileSync(`${file}.json`, 'utf8'))
    const bytes = new Uint8Array(new SharedArrayBuffer(statSync(file).size))
    readSync(openSync(file, 'r'), bytes)
    const index = fromBuffers(layout, bytes)
    if (!index) throw new Error('the snapshot does not fit')
    query(index, { query: question, limit: 10, offset: 0 })
  })
  const [save, load] = [saved, loaded].map(({ clock }) => clock.toFixed(0))
  console.log(`  snapshot: saved in ${save} ms, loaded with a first answer in ${load} ms`)
}

/** Milliseconds of each question. */
interface Times {
  clock: number[]
  /** User and system time of the whole process, so that it includes the garbage collector's threads. */
  processor: number[]
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
      const clock = performance.now() - started
      const { user, system } = process.cpuUsage(usage)
      return { clock, processor: (user + system) / 1000 }
    })
    clock.push(Math.min(...tries.map(({ clock }) => clock)))
    processor.push(Math.min(...tries.map(({ processor }) => processor)))
  }
  return { clock, processor }
}

function tell({ clock, processor }: Times): void {
  const both = (times: number[]) =>
    `p50 ${percentile(times, 0.5).toFixed(3)} p99 ${percentile(times, 0.99).toFixed(3)} ms`
  console.log(`  a question: clock ${both(clock)}   processor ${both(processor)}`)
}
