// npm run bench -- leads [--half look|measure] [--vaults a,b] [--list] [--processor] — natural questions about public notes (sets/*.json),
// asked as on the answer page: how often the lead is right, how often the right text is among the first, and whether
// unanswerable questions get no lead. fetch.mjs names the sources of the notes. --list names the questions that
// fail, only of the half to look at. Exits with 1 if a figure misses its budget.
import { percentile, timed } from '../figures.js'
import { BenchSafes } from '../quality/safes.js'
import { ask, type Said, type Statement } from './lead.js'
import { type Note, notesOf, readVaultSets, type VaultQuestion, type VaultSet } from './vaults.js'

/** A question and its answer. `rank` of the right text counts from 1. */
interface Asked {
  question: VaultQuestion
  said: Said
  isRight: boolean
  rank: number
  ms: number
}

/** Times that a question is asked for its processor time; the best counts. */
const TRIES = 3

const hasLead = ({ said }: Asked) => said.lead !== null
const answerable = (all: readonly Asked[]) => all.filter(({ question }) => question.answer !== undefined)
const unanswerable = (all: readonly Asked[]) => all.filter(({ question }) => question.answer === undefined)
const share = (all: readonly Asked[], is: (one: Asked) => boolean) =>
  (100 * all.filter(is).length) / Math.max(1, all.length)

/** The printed label, its budget (minimum, or maximum with `isMost`), and how it is computed. */
const FIGURES: [name: string, budget: number, of: (all: readonly Asked[]) => number, isMost?: true][] = [
  ['lead shown, of answerable %', 0, all => share(answerable(all), hasLead)],
  ['right, of all leads %', 65, all => share(all.filter(hasLead), one => one.isRight)],
  ['lead right, of answerable %', 52, all => share(answerable(all), one => one.isRight)],
  ['right text first %', 72, all => share(answerable(all), ({ rank }) => rank === 1)],
  ['right text in the first 5 %', 94, all => share(answerable(all), ({ rank }) => rank <= 5)],
  ['unanswerable without a lead %', 80, all => 100 - share(unanswerable(all), hasLead)],
  ['"none" said of answerable %', 4, all => share(answerable(all), ({ said }) => said.isNone), true],
  ['AUROC of confidence × 100', 90, auroc],
]

const flags = process.argv.slice(2)
const argumentOf = (flag: string) => (flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : undefined)
const half = argumentOf('--half')
const vaults = argumentOf('--vaults')?.split(',')
const columns = new Map<string, Asked[]>()

async function askAll(set: VaultSet): Promise<void> {
  const notes = notesOf(set)
  const safes = await BenchSafes.open()
  const passages = notes.map(note => ({ ...note, title: note.path }))
  const safe = await safes.load({ name: set.vault, passages, questions: [] })
  for (const column of [set.half, `${set.half}, other words`]) {
    for (const question of set.questions) {
      const words = column === set.half ? [] : (question.other_words ?? [])
      const tries = [await timed(() => ask(safe, question.question, words))]
      while (flags.includes('--processor') && tries.length < TRIES)
        tries.push(await timed(() => ask(safe, question.question, words)))
      const asked = judged(question, tries, notes)
      columns.set(column, [...(columns.get(column) ?? []), asked])
      if (column === 'look' && flags.includes('--list')) list(set.vault, asked)
    }
  }
  await safes.close()
}

function judged(question: VaultQuestion, tries: { result: Said; processor: number }[], notes: Note[]): Asked {
  const said = (tries[0] as { result: Said }).result
  const isAnswer = answersTo(question, notes)
  return {
    question,
    said,
    isRight: said.lead !== null && isAnswer(said.lead),
    rank: said.found.findIndex(isAnswer) + 1 || Number.POSITIVE_INFINITY,
    ms: Math.min(...tries.map(({ processor }) => processor)),
  }
}

/** Whether a text contains the answer to a question, and is from an accepted document. */
function answersTo({ answer, documents = [] }: VaultQuestion, notes: Note[]): (said: Statement) => boolean {
  if (answer === undefined) return () => false
  const pattern = new RegExp(answer, 'i')
  const names = notes.filter(({ path }) => documents.includes(path)).flatMap(namesOf)
  return ({ text, document, things }) =>
    pattern.test(flat(text)) &&
    (document === null
      ? things.some(thing => names.some(name => letters(thing).includes(name)))
      : documents.includes(document))
}

/** The names facts may use for a document: its file name, its title, its first heading. */
function namesOf({ path, text }: Note): string[] {
  const file = path.replace(/^.*\/|\.mdx?$/g, '')
  const names = [/^title:(.*)$/m.exec(text)?.[1], /^# (.*)$/m.exec(text)?.[1], file]
  return names.map(name => letters(flat(name ?? ''))).filter(name => name !== '')
}

const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Text without Markdown markup. */
function flat(text: string): string {
  const unlinked = text.replace(/!?\[([^[\]]*)\](\([^)]*\)|\[[^\]]*\])?/g, '$1')
  return unlinked.replace(/[*_`\\[\]]/g, '').replace(/[\s|]+/g, ' ')
}

function list(vault: string, { question: { question, kind, answer }, said, isRight, rank }: Asked): void {
  if (answer === undefined ? said.lead === null : isRight) return
  const lead = said.lead?.text ?? (said.isNone ? 'none' : 'no lead')
  console.log(`${vault} (${kind}) ${question}\n    said   ${lead}`)
  if (answer !== undefined) console.log(`    right  /${answer}/ at ${rank}`)
}

/** How often an answerable question gets more confidence than an unanswerable one, in percent. */
function auroc(all: readonly Asked[]): number {
  const no = unanswerable(all).map(({ said }) => said.confidence)
  const wins = answerable(all).flatMap(({ said: { confidence } }) =>
    no.map((other): number => (confidence > other ? 1 : confidence === other ? 0.5 : 0)),
  )
  return (100 * wins.reduce((sum, win) => sum + win, 0)) / Math.max(1, wins.length)
}

function print(): void {
  const all = [...columns.values()]
  const row = (...cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
  row('figure (budget)', ...columns.keys())
  row('---', ...all.map(() => '---:'))
  row('answerable + not', ...all.map(some => `${answerable(some).length} + ${unanswerable(some).length}`))
  for (const [name, budget, of, isMost] of FIGURES) {
    const isMet = (figure: number) => (isMost ? figure <= budget : figure >= budget)
    const figures = all.map(of)
    if (!figures.every(isMet)) process.exitCode = 1
    const cells = figures.map(figure => (isMet(figure) ? figure.toFixed(1) : `**${figure.toFixed(1)}**`))
    row(`${name} (${isMost ? '≤' : '≥'} ${budget})`, ...cells)
  }
  const times = all.map(some => some.map(({ ms }) => ms))
  for (const part of flags.includes('--processor') ? [0.5, 0.99] : [])
    row(`processor p${100 * part}, ms`, ...times.map(some => percentile(some, part).toFixed(2)))
}

const sets = readVaultSets().toSorted((a, b) => a.half.localeCompare(b.half))
for (const set of sets)
  if ((half ?? set.half) === set.half && (vaults?.includes(set.vault) ?? true)) await askAll(set)
print()
