// npm run bench -- duplicates [10000 1000000] — how many duplicates are found among perturbed names of WordNet, how many
// of what is offered are duplicates, and the time and memory for large graphs without known duplicates.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GraphSource } from '../../graph/model.js'
import { crowd } from '../graph/crowd.js'
import { type Graph, generated, wordnet } from '../graph/rows.js'
import { stored } from '../graph/stored-graph.js'
import { labelled, pairOf } from './labelled.js'

// As built: what runs TypeScript directly adds to the cost of every function.
const built = (file: string) => import(new URL(`../../dist/graph/${file}.js`, import.meta.url).href)
const { buildIndex }: typeof import('../../graph/index/build-index.js') = await built('index/build-index')
const { duplicates }: typeof import('../../graph/browse/duplicates.js') = await built('browse/duplicates')
type Index = Awaited<ReturnType<typeof buildIndex>>

const asked = process.argv.slice(2).map(Number)
await quality()
await speed('WordNet', await indexOf(await wordnet()))
for (const size of asked.length > 0 ? asked : [10_000, 100_000, 1_000_000]) {
  const graph = generated(size)
  await speed(graph.name, await indexOf(graph))
}
await speed('200,000 names that look alike', await buildIndex(crowd))
if (asked.length === 0) await speed('names alone', await buildIndex(await namesAlone(1_000_000)))

async function quality(): Promise<void> {
  const { graph, pairs } = await labelled()
  const index = await indexOf(graph)
  const { found } = await duplicates(index, { apart: [], limit: 5_000 })
  const offered = new Map(found.map(({ one, other }, at) => [pairOf(one.key, other.key), at]))
  console.log(`${graph.name}, ${pairs.size} of them twice`)
  console.log('found, by neighbours in common (0, 1, 2, 3):')
  for (const how of new Set([...pairs.values()].map(pair => pair.how))) {
    const shares = [0, 1, 2, 3].map(common => {
      const wanted = [...pairs].filter(([, pair]) => pair.how === how && pair.common === common)
      return percent(wanted.filter(([pair]) => offered.has(pair)).length, wanted.length)
    })
    console.log(`  ${how.padEnd(9)} ${shares.join('  ')}`)
  }
  const right = (most: number) => {
    const first = [...offered].filter(([, at]) => at < most)
    return percent(first.filter(([pair]) => pairs.has(pair)).length, first.length)
  }
  console.log(
    `  offered ${found.length}; right among the first 100 ${right(100)}, 500 ${right(500)}, all ${right(5_000)}`,
  )
}

async function speed(name: string, index: Index): Promise<void> {
  const memory = process.memoryUsage().arrayBuffers
  let most = memory
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers)
  }, 20)
  const [cpu, started] = [process.cpuUsage(), performance.now()]
  const { found } = await duplicates(index, { apart: [], limit: 500 })
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  clearInterval(sampling)
  console.log(
    `${name}: ${index.named.toLocaleString('en')} things, ${found.length} pairs in ${seconds.toFixed(2)} s (processor ${((user + system) / 1e6).toFixed(2)} s), ${((most - memory) / 1e6).toFixed(0)} MB of buffers`,
  )
}

async function indexOf(graph: Graph): Promise<Index> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-duplicates-'))
  try {
    const { source, close } = await stored(folder, graph)
    const index = await buildIndex(source)
    await close()
    return index
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The names of a generated graph of so many things, without its relations. */
async function namesAlone(things: number): Promise<GraphSource> {
  for await (const { entities } of generated(things * 5).batches) {
    const rows = entities.map(({ key, name, type }) => ({ importId: 1, key, name, type }))
    return { identities: none, entities: () => once(rows), aliases: none, relations: none, passages: none }
  }
  throw new Error('no names')
}

async function* none() {}
async function* once<Row>(rows: Row[]) {
  yield rows
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`.padStart(5)
}
