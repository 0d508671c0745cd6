// npm run bench -- changes [NOTES …] — the cost of a change of an index in memory, compared with rebuilding it and with one
// transaction of SQLite's FTS5, for generated notes of 3 kB (default 1,000 and 10,000); and its effect on answers, for each
// set of BENCH_DATA with 5 % of its passages in small parts (ADR 17).
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pause } from '../../engine/graph/collections/pause.js'
import { byteLengthOf } from '../../engine/graph/index/buffers.js'
import { indexOf, indexWith } from '../../engine/graph/index/build-index.js'
import { Layers } from '../../engine/graph/index/layers.js'
import type { SafeIndex } from '../../engine/graph/index/safe-index.js'
import { query } from '../../engine/graph/retrieval/query.js'
import { normalizeName } from '../../engine/graph/text/text.js'
import { sqliteDriver } from '../../platform/storage/sqlite/load-driver.js'
import { machine, percentile, timed } from '../figures.js'
import { needsOf, type QuestionSet, readSets } from '../quality/question-set.js'
import { Tally } from '../quality/scores.js'
import { seeded } from '../quality/typos.js'
import { noteText, titleOf } from './notes.js'

const asked = process.argv.slice(2).map(Number)
const sizes = asked.length > 0 ? asked : [1_000, 10_000]
const folder = process.env.BENCH_DATA ?? fileURLToPath(new URL('../../../shared/bench-data', import.meta.url))
/** Share of the passages in parts, and how many are changed at once. */
const SHARE = 0.05
const AT_ONCE = 10
const CHANGES = 500

interface Passage {
  title: string
  text: string
}

/** Rows of passages, each in its own import. */
async function read(passages: readonly Passage[], ids: readonly number[]): Promise<Layers> {
  async function* each<Row>(rowOf: (passage: Passage, importId: number) => Row) {
    yield ids.map(id => rowOf(passages[id - 1] ?? { title: '', text: '' }, id))
  }
  async function* none() {}
  const layers = new Layers()
  const source = {
    identities: none,
    aliases: none,
    relations: none,
    entities: () =>
      each(({ title }, importId) => ({ importId, key: normalizeName(title), name: title, type: null })),
    passages: () =>
      each(({ title, text }, importId) => ({
        importId,
        id: 1,
        entityKey: normalizeName(title),
        title,
        text,
        time: null,
      })),
  }
  await layers.read(source, new Pause())
  return layers
}

/** The index with these passages instead of those of the imports in `gone`. */
async function changed(
  index: SafeIndex,
  passages: readonly Passage[],
  ids: readonly number[],
  gone: number[] = [],
) {
  const before = { imports: new Set(gone), names: [] }
  const result = await indexWith(index, await read(passages, ids), before, index.built)
  if (!result) throw new Error('The index has to be built again.')
  return result
}

async function quality(set: QuestionSet): Promise<void> {
  const ids = set.passages.map((_, at) => at + 1)
  const random = seeded(1)
  const late = new Set(ids.filter(() => random() < SHARE))
  let parts = await indexOf(
    await read(
      set.passages,
      ids.filter(id => !late.has(id)),
    ),
    null,
  )
  const waiting = [...late]
  while (waiting.length > 0) parts = await changed(parts, set.passages, waiting.splice(0, AT_ONCE))
  const complete = await indexOf(await read(set.passages, ids), null)
  const needs = needsOf(set)
  const recall = [complete, parts].map(index => {
    const tally = new Tally()
    for (const [at, { question }] of set.questions.entries()) {
      const { passages } = query(index, { query: question, limit: 10, offset: 0 })
      tally.add(
        passages.map(({ ref }) => ref.importId - 1),
        needs[at] ?? [],
      )
    }
    return tally.scores().recall
  })
  const shown = ([1, 5, 10] as const).map(at => recall.map(one => one[at].toFixed(1)).join(' → '))
  console.log(`| ${set.name} | ${set.passages.length}, ${late.size} in parts | ${shown.join(' | ')} |`)
}

async function cost(passages: readonly Passage[]): Promise<void> {
  const ids = passages.map((_, at) => at + 1)
  const built = await timed(async () => indexOf(await read(passages, ids), null))
  let index = built.result
  const before = await questions(index, passages)
  const [times, random] = [[] as number[], seeded(2)]
  const all = [...passages]
  const now = [...ids]
  for (let change = 0; change < CHANGES; change++) {
    const at = Math.floor(random() * now.length)
    const id = all.push({ title: titleOf(at), text: noteText(random, passages.length) })
    const gone = now.splice(at, 1, id)
    const { result, processor } = await timed(() => changed(index, all, [id], gone))
    index = result
    times.push(processor)
  }
  const after = await questions(index, passages)
  const ms = percentile(times, 0.5)
  const fts = await fullTextSearch(passages)
  console.log(
    `| ${passages.length.toLocaleString('en')} notes, ${(byteLengthOf(built.result) / 1e6).toFixed(0)} MB | ${built.processor.toFixed(0)} ms | ${ms.toFixed(1)} ms (${(ms / built.processor).toFixed(3)}) | ${before.toFixed(2)} → ${after.toFixed(2)} ms | ${fts.toFixed(2)} ms (${(ms / fts).toFixed(1)} ×) |`,
  )
}

/** Milliseconds of processor time of one transaction that replaces a note in FTS5 of SQLite, on disk. */
async function fullTextSearch(passages: readonly Passage[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-fts-'))
  const database = (await sqliteDriver()).open(join(folder, 'notes.db'), 0)
  database.exec('pragma journal_mode = WAL; pragma synchronous = NORMAL')
  database.exec(`create virtual table notes using fts5(title, text, tokenize = 'porter'); begin`)
  const insert = database.prepare('insert into notes (title, text) values (?, ?)')
  for (const { title, text } of passages) insert.run([title, text])
  database.exec('commit')
  const update = database.prepare('update notes set text = ? where rowid = ?')
  const [times, random] = [[] as number[], seeded(2)]
  for (let change = 0; change < CHANGES; change++) {
    const changed = [noteText(random, passages.length), 1 + Math.floor(random() * passages.length)]
    times.push((await timed(() => update.run(changed))).processor)
  }
  database.close()
  rmSync(folder, { recursive: true })
  return percentile(times, 0.5)
}

/** Milliseconds of processor time of a question. */
async function questions(index: SafeIndex, passages: readonly Passage[]): Promise<number> {
  const ask = () => {
    for (let at = 0; at < 500; at++)
      query(index, {
        query: `What is ${passages[(at * 37) % passages.length]?.title}?`,
        limit: 10,
        offset: 0,
      })
  }
  ask()
  return (await timed(ask)).processor / 500
}

console.log(`${machine()}\n\n| set | passages | @1 complete → parts | @5 | @10 |\n|---|---|---|---|---|`)
for (const set of existsSync(folder) ? readSets(folder) : []) await quality(set)
console.log(
  '\n| Safe | built again | one note changed (×) | a question, after 500 changes | FTS5, one note changed |\n|---|---:|---:|---:|---:|',
)
for (const notes of sizes) {
  const random = seeded(3)
  await cost(
    Array.from({ length: notes }, (_, note) => ({ title: titleOf(note), text: noteText(random, notes) })),
  )
}
