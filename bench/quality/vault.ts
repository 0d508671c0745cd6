// npm run bench -- vault FOLDER QUESTIONS.json [--misses] — plain questions over a folder of notes: how many of them find
// a note that answers them among the first passages, beside plain BM25. The folder is a checkout of what QUESTIONS.json
// names (see vaults/): nothing of its content comes with this project.
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { filesOf } from '../../cli/folder.js'
import { answerText } from '../../safes/ask/answer.js'
import { isNote } from '../../safes/imports/import-files.js'
import { measure } from './measure.js'
import type { QuestionSet } from './question-set.js'
import { type BenchSafe, BenchSafes } from './safes.js'
import type { Scores } from './scores.js'

/** Questions over a public repository. */
interface Vault {
  repository: string
  commit: string
  licence: string
  /** Inside the repository. */
  folder: string
  /** `gold`: paths of notes, of which each answers the question. */
  questions: { question: string; gold: string[] }[]
}

const [folder, file] = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
if (folder === undefined || file === undefined) {
  throw new Error('Usage: npm run bench -- vault FOLDER QUESTIONS.json [--misses] [--answers]')
}
const vault: Vault = JSON.parse(readFileSync(file, 'utf8'))
const set = await questionSet(vault, folder)
const safes = await BenchSafes.open()
try {
  const safe = await safes.load(set)
  const { engine, sent, bm25, passages, questions } = await measure(set, safe)
  console.log(`${vault.repository} ${vault.commit.slice(0, 8)} ${vault.licence}`)
  console.log(`${set.passages.length} notes, ${passages} passages, ${questions} questions`)
  row('this engine', engine)
  row('  as sent', sent)
  row('BM25 alone', bm25)
  if (process.argv.includes('--misses')) await printMisses(safe)
  if (process.argv.includes('--answers')) await printAnswers(safe)
} finally {
  await safes.close()
}

/** Notes are called by their paths, so that those of one name stay apart. */
async function questionSet({ questions }: Vault, folder: string): Promise<QuestionSet> {
  const { files } = await filesOf(folder)
  const notes = files.filter(({ path }) => isNote(path))
  const passages = await Promise.all(
    notes.map(async ({ path, open }) => ({ path, title: path, text: await text(await open()) })),
  )
  const known = new Set(notes.map(({ path }) => path))
  for (const path of questions.flatMap(({ gold }) => gold)) {
    if (!known.has(path)) throw new Error(`There is no note ${path} in ${folder}.`)
  }
  return {
    name: folder,
    passages,
    questions: questions.map(({ question, gold: [first = '', ...also] }) => ({
      question,
      gold: [first],
      also,
    })),
  }
}

function row(label: string, { recall, mrr }: Scores): void {
  const figures = ([1, 2, 5, 10] as const).map(depth => `@${depth} ${recall[depth].toFixed(1).padStart(5)}`)
  console.log(`  ${label.padEnd(14)} ${figures.join('  ')}  MRR ${mrr.toFixed(1)}`)
}

async function printMisses(safe: BenchSafe): Promise<void> {
  for (const { question, gold } of vault.questions) {
    const { passages, linked } = await safe.rank(question)
    const found = passages.map(({ ref }) => safe.passages[ref.id - 1])
    if (gold.includes(found[0]?.source ?? '')) continue
    const rank = found.findIndex(passage => gold.includes(passage?.source ?? ''))
    console.log(`  ? ${question}\n    rank ${rank + 1 || 'none'}: ${gold.join(' or ')}`)
    console.log(
      `    first ${found
        .slice(0, 3)
        .map(passage => passage?.title)
        .join(' | ')}`,
    )
    console.log(`    linked ${linked.map(({ text, entity }) => `${text} = ${entity}`).join(' | ')}`)
  }
}

async function printAnswers(safe: BenchSafe): Promise<void> {
  for (const { question } of vault.questions) {
    console.log(`\n${'='.repeat(100)}\n${question}\n\n${answerText(await safe.answer(question))}`)
  }
}
