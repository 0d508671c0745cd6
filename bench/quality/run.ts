// npm run bench -- quality [SET… --misses --write] — how many of the passages that a question needs are among the first
// 1, 2, 5 and 10, compared with plain BM25; whether the known answer is in the text; the cost of a question. Reads every set
// of BENCH_DATA, and the project's own small sets next to this file. Exits with 1 if a set is below its gate.
// --write puts the table into docs/benchmarks.md.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { judged } from './gates.js'
import { measure } from './measure.js'
import { ownSets } from './own-sets.js'
import { needsOf, type QuestionSet, readSets } from './question-set.js'
import { type BenchSafe, BenchSafes } from './safes.js'
import type { Measured } from './scores.js'
import { tableOf, writeTable } from './table.js'
import { TYPO_DEFINITION } from './typos.js'

const folder = process.env.BENCH_DATA ?? fileURLToPath(new URL('../../../shared/bench-data', import.meta.url))
const flags = process.argv.slice(2).filter(argument => argument.startsWith('--'))
const names = process.argv.slice(2).filter(argument => !argument.startsWith('--'))

const sets = existsSync(folder) ? readSets(folder) : []
if (sets.length === 0) {
  console.log(`No *.json in ${folder} (set BENCH_DATA): only the project's own sets are measured.`)
}
console.log(TYPO_DEFINITION.join('\n'))
console.log('Typo figures are means of three seeds. All figures are percent.\n')
const all = [...sets, ...(await ownSets())].filter(({ name }) => names.length === 0 || names.includes(name))
const safes = await BenchSafes.open()
try {
  const measured: Measured[] = []
  for (const set of all) measured.push(await measureAndJudge(set))
  const table = tableOf(measured)
  console.log(`\n${table}`)
  if (flags.includes('--write')) writeTable(new URL('../../docs/benchmarks.md', import.meta.url), table)
} finally {
  await safes.close()
}

async function measureAndJudge(set: QuestionSet): Promise<Measured> {
  const safe = await safes.load(set)
  const measured = await measure(set, safe)
  console.log(set.name)
  if (flags.includes('--misses')) await tellMisses(set, safe)
  for (const { line, missed } of judged(measured)) {
    console.log(`  ${line}`)
    if (missed) process.exitCode = 1
  }
  return measured
}

async function tellMisses(set: QuestionSet, safe: BenchSafe): Promise<void> {
  const needs = needsOf(set)
  const title = (position: number) => set.passages[position]?.title ?? '?'
  for (const [at, { question }] of set.questions.entries()) {
    const { passages, linked } = await safe.rank(question)
    const found = safe.positionsOf(passages.map(({ ref }) => ref.id)).slice(0, 5)
    const missing = (needs[at] ?? []).filter(need => !found.some(position => need.has(position)))
    if (missing.length === 0) continue
    console.log(
      `  ? ${question}\n    missing ${missing.map(need => [...need].map(title).join(' or ')).join(' | ')}`,
    )
    console.log(`    found   ${found.map(title).join(' | ')}`)
    console.log(`    linked  ${linked.map(({ text, entity }) => `${text} = ${entity}`).join(' | ')}`)
  }
}
