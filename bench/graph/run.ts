// npm run bench:graph [-- 10000 100000] — time and memory of the index and of questions, on generated graphs and on WordNet,
// beside SQLite FTS5 and MiniSearch. Each question is asked three times and its best time counts, because what else the
// machine does is not what is measured.
import { mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { byteLengthOf, fromBuffers, type Layout, toBuffers } from '../../graph/buffers.js'
import { query } from '../../graph/query.js'
import { buildIndex, type SafeIndex } from '../../graph/safe-index.js'
import { fts5, miniSearch, type Search } from './rivals.js'
import { type Graph, generated, wordnet } from './rows.js'
import { stored } from './stored-graph.js'

/** More texts than this MiniSearch holds only with gigabytes. */
const mostForMiniSearch = 100_000
const sizes = process.argv.slice(2).map(Number).filter(Boolean)

const p50s: number[] = []
for (const size of sizes.length > 0 ? sizes : [10_000, 100_000, 1_000_000]) await measure(generated(size))
console.log(
  `p50 of the largest generated graph ÷ p50 of the smallest: ${((p50s.at(-1) ?? 0) / (p50s[0] ?? 1)).toFixed(2)}`,
)
if (sizes.length === 0) await measure(await wordnet())

async function measure(graph: Graph): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-graph-'))
  try {
    const { source, close } = await stored(folder, graph)
    console.log(`\n${graph.name} facts`)
    const [index, seconds] = await timed(() => buildIndex(source))
    const bytes = byteLengthOf(index)
    console.log(
      `  build ${seconds.toFixed(2)} s (reading rows included); ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / graph.facts).toFixed(1)} bytes a fact`,
    )
    await snapshot(join(folder, 'snapshot'), index, graph)
    const own = times(question => query(index, { query: question, limit: 10, offset: 0 }), graph.questions)
    if (graph.name.startsWith('generated')) p50s.push(own.p50)
    tell('this engine', own)
    tell('SQLite FTS5', times(await fts5(source), graph.questions.slice(0, 100)))
    if (graph.facts <= mostForMiniSearch)
      tell('MiniSearch', times(await miniSearch(source), graph.questions.slice(0, 100)))
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

interface Times {
  p50: number
  p99: number
  mean: number
}

function times(search: Search, questions: readonly string[]): Times {
  for (const question of questions.slice(0, 200)) search(question)
  const best = questions
    .map(question => {
      let least = Number.POSITIVE_INFINITY
      for (let time = 0; time < 3; time++) {
        const started = performance.now()
        search(question)
        least = Math.min(least, performance.now() - started)
      }
      return least
    })
    .sort((a, b) => a - b)
  const at = (share: number) => best[Math.floor(best.length * share)] ?? 0
  return { p50: at(0.5), p99: at(0.99), mean: best.reduce((sum, time) => sum + time, 0) / best.length }
}

function tell(name: string, { p50, p99, mean }: Times): void {
  console.log(
    `  ${name.padEnd(12)} p50 ${p50.toFixed(3)} ms  p99 ${p99.toFixed(3)} ms  mean ${mean.toFixed(3)} ms`,
  )
}
