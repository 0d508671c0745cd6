// npm run bench:quality [-- --misses] — how many of the passages that a question needs are among the first 2 and 5.
// Reads every {passages, questions} file of BENCH_DATA, and the project's own small sets beside this file.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bm25 } from './bm25.js'
import { ownSets } from './own-sets.js'
import { goldOf, product, type QuestionSet, type Retriever, readSets } from './question-set.js'
import { seeded, typoDefinition, withTypos } from './typos.js'

/** Recalls in percent (GRAPH §7), for the sets that have such a gate. */
const gates: Record<string, { recall2: number; recall5: number; typos: number }> = {
  '2wiki-101': { recall2: 76, recall5: 94, typos: 70 },
}

const folder = process.env.BENCH_DATA ?? fileURLToPath(new URL('../../../shared/bench-data', import.meta.url))
const showsMisses = process.argv.includes('--misses')
const typoSeeds = [1, 2, 3]

let missed = 0
const sets = existsSync(folder) ? readSets(folder) : []
if (sets.length === 0) {
  console.log(`No *.json in ${folder} (set BENCH_DATA): only the project's own sets are measured.`)
}
console.log(typoDefinition.join('\n'))
console.log('Typo figures are means of three seeds. All figures are percent.\n')
for (const set of [...sets, ...(await ownSets())]) await measure(set)
if (missed > 0) process.exitCode = 1

async function measure(set: QuestionSet): Promise<void> {
  const started = performance.now()
  const ours = await product(set.passages)
  const seconds = (performance.now() - started) / 1000
  const words = bm25(set.passages)
  const questions = set.questions.map(({ question }) => question)
  const lower = questions.map(question => question.toLowerCase())
  console.log(
    `${set.name}: ${set.passages.length} passages, ${questions.length} questions, built in ${seconds.toFixed(2)} s`,
  )
  const [recall2, recall5] = recalls(set, ours, questions)
  row('this engine', recall2, recall5)
  row('  all in lower case', ...recalls(set, ours, lower))
  const typos = typoRecall(set, ours, 'name')
  row('  a typo in every long name', ...typos)
  row('  a typo in every long word of names', ...typoRecall(set, ours, 'word'))
  row('BM25 alone', ...recalls(set, words, questions))
  row('  a typo in every long name', ...typoRecall(set, words, 'name'))
  if (showsMisses) tellMisses(set, ours)
  gate(set.name, recall2, recall5, typos[1])
  console.log('')
}

function row(label: string, recall2: number, recall5: number): void {
  console.log(
    `  ${label.padEnd(38)} @2 ${recall2.toFixed(1).padStart(5)}  @5 ${recall5.toFixed(1).padStart(5)}`,
  )
}

/** Mean share of the needed passages among the first 2 and 5, in percent. */
function recalls(set: QuestionSet, retrieve: Retriever, questions: readonly string[]): [number, number] {
  const gold = goldOf(set)
  let at2 = 0
  let at5 = 0
  for (const [at, question] of questions.entries()) {
    const needed = gold[at] ?? new Set<number>()
    const found = retrieve(question, 5)
    at2 += found.slice(0, 2).filter(position => needed.has(position)).length / needed.size
    at5 += found.filter(position => needed.has(position)).length / needed.size
  }
  return [(100 * at2) / questions.length, (100 * at5) / questions.length]
}

function typoRecall(set: QuestionSet, retrieve: Retriever, kind: 'name' | 'word'): [number, number] {
  const all = typoSeeds.map(seed => {
    const random = seeded(seed)
    return recalls(
      set,
      retrieve,
      set.questions.map(({ question }) => withTypos(question, kind, random)),
    )
  })
  const mean = (at: 0 | 1) => all.reduce((sum, pair) => sum + pair[at], 0) / all.length
  return [mean(0), mean(1)]
}

function tellMisses(set: QuestionSet, retrieve: Retriever): void {
  const gold = goldOf(set)
  const titles = (positions: Iterable<number>) =>
    [...positions].map(at => set.passages[at]?.title).join(' | ')
  for (const [at, { question }] of set.questions.entries()) {
    const found = retrieve(question, 5)
    const missing = [...(gold[at] ?? [])].filter(position => !found.includes(position))
    if (missing.length > 0) {
      console.log(`  ? ${question}\n    missing ${titles(missing)}\n    found   ${titles(found)}`)
    }
  }
}

function gate(name: string, recall2: number, recall5: number, typos: number): void {
  const wanted = gates[name]
  if (!wanted) return
  for (const [what, got, least] of [
    ['recall@2', recall2, wanted.recall2],
    ['recall@5', recall5, wanted.recall5],
    ['recall@5 with typos', typos, wanted.typos],
  ] as const) {
    if (got < least) missed++
    console.log(`  ${got < least ? 'MISSED' : 'passed'}: ${what} ${got.toFixed(1)}, gate ${least}`)
  }
}
