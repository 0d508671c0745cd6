// npm run bench -- answerable: below which coverage an answer page says that nothing answers (decision 49). Questions of
// each set of BENCH_DATA are asked of its own Safe, and of the Safes of all other sets, which cannot answer them.
import { fileURLToPath } from 'node:url'
import { type QuestionSet, readSets } from '../quality/question-set.js'
import { type BenchSafe, BenchSafes } from '../quality/safes.js'

const folder = process.env.BENCH_DATA ?? fileURLToPath(new URL('../../../shared/bench-data', import.meta.url))
/** Questions of a set that are asked, evenly spread. */
const ASKED = 200
const THRESHOLDS = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]

const some = ({ questions }: QuestionSet, most: number) => {
  const step = Math.max(1, questions.length / most)
  return Array.from({ length: Math.min(most, questions.length) }, (_, at) => questions[Math.floor(at * step)])
    .filter(asked => asked !== undefined)
    .map(({ question }) => question)
}

/** What decides; 1 where the first result is a fact, a path or a thing of that name, and 0 where nothing is found. */
async function coverageOf(safe: BenchSafe, question: string): Promise<number> {
  const { mode, total, coverage } = await safe.rank(question)
  if (total === 0) return 0
  return mode === 'search' ? (coverage ?? 1) : 1
}

/** Paragraphs and questions of some sets are the same in several languages. */
const familyOf = (name: string) => name.split('-')[0]

const sets = readSets(folder)
const safes = await BenchSafes.open()
try {
  console.log(`share of questions whose best passage has less coverage, %\n`)
  console.log(['set', 'asked of it', ...THRESHOLDS.map(at => at.toFixed(2))].join(' | '))
  for (const set of sets) {
    const safe = await safes.load(set)
    const others = sets.filter(({ name }) => familyOf(name) !== familyOf(set.name))
    const foreign = others.flatMap(other => some(other, Math.ceil(ASKED / others.length)))
    for (const [kind, questions] of [
      ['own questions', some(set, ASKED)],
      ['of other sets', foreign],
    ] as const) {
      const found: number[] = []
      for (const question of questions) found.push(await coverageOf(safe, question))
      const below = THRESHOLDS.map(at => (found.filter(each => each < at).length / found.length) * 100)
      console.log(
        [set.name, `${kind} (${found.length})`, ...below.map(share => share.toFixed(1))].join(' | '),
      )
    }
  }
} finally {
  await safes.close()
}
