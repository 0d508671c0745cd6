import { type Answer, answerText } from '../../domain/safes/ask/answer.js'
import type { Ranking } from '../../engine/graph/retrieval/ranking.js'
import { timed } from '../figures.js'
import { bm25 } from './bm25.js'
import { hasTypoGate } from './gates.js'
import { answersOf, needsOf, type QuestionSet } from './question-set.js'
import type { BenchSafe } from './safes.js'
import { type Measured, type Scores, Tally } from './scores.js'
import { seeded, withTypos } from './typos.js'

const TYPO_SEEDS = [1, 2, 3]
/** Times that each question is run; the best counts. */
const TRIES = 3

/** Asks all questions of a set, with the engine and with the methods it is compared with. */
export async function measure(set: QuestionSet, safe: BenchSafe): Promise<Measured> {
  const needs = needsOf(set)
  const ask = async (find: (at: number) => number[] | Promise<number[]>): Promise<Scores> => {
    const tally = new Tally()
    for (const at of set.questions.keys()) tally.add(await find(at), needs[at] ?? [])
    return tally.scores()
  }
  const found = async (query: string, words?: string[]) =>
    safe.positionsOf(passagesOf(await safe.rank(query, words)))
  const text = (at: number) => set.questions[at]?.question ?? ''
  const words = bm25(safe.passages)
  const answers: Answer[] = []
  for (const { question } of set.questions) answers.push(await safe.answer({ query: question }))
  return {
    name: set.name,
    passages: safe.passages.length,
    questions: set.questions.length,
    milliseconds: await times(set, safe),
    engine: await ask(at => found(text(at))),
    sent: await ask(at => safe.positionsOf(sentPassages(answers[at]))),
    bm25: await ask(at => words(text(at), 10).map(passage => safe.positions[passage] ?? -1)),
    otherWords: set.questions.some(({ otherWords }) => otherWords)
      ? await ask(at => found(text(at), set.questions[at]?.otherWords))
      : null,
    typos: hasTypoGate(set.name) ? await withMeanTypos(set, ask, found) : null,
    answered: answeredShare(set, answers),
  }
}

const passagesOf = ({ passages }: Ranking) => passages.map(({ ref }) => ref.id)

/** Numbers of an answer's passages, best first. */
function sentPassages(answer: Answer | undefined): number[] {
  const best = (answer?.passages ?? []).toSorted((a, b) => b.score - a.score)
  return best.map(({ id }) => Number(id.split('.')[1]))
}

async function withMeanTypos(
  { questions }: QuestionSet,
  ask: (find: (at: number) => Promise<number[]>) => Promise<Scores>,
  found: (query: string) => Promise<number[]>,
): Promise<Scores> {
  const all: Scores[] = []
  for (const seed of TYPO_SEEDS) {
    const random = seeded(seed)
    all.push(await ask(at => found(withTypos(questions[at]?.question ?? '', random))))
  }
  const mean = (of: (scores: Scores) => number) =>
    all.reduce((sum, scores) => sum + of(scores), 0) / all.length
  const at = (depth: 1 | 2 | 5 | 10) => mean(({ recall }) => recall[depth])
  return { recall: { 1: at(1), 2: at(2), 5: at(5), 10: at(10) }, mrr: mean(({ mrr }) => mrr) }
}

/** Percent of the questions with known answers where one is in the text, in any spelling and spacing. */
function answeredShare({ questions }: QuestionSet, answers: readonly Answer[]): number | null {
  let [known, answered] = [0, 0]
  for (const [at, question] of questions.entries()) {
    const wanted = answersOf(question).map(plain)
    const answer = answers[at]
    if (wanted.length === 0 || answer === undefined) continue
    known++
    const text = plain(answerText(answer))
    if (wanted.some(one => text.includes(one))) answered++
  }
  return known === 0 ? null : (100 * answered) / known
}

const plain = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim()

async function times({ questions }: QuestionSet, safe: BenchSafe): Promise<number[]> {
  const best: number[] = []
  for (const { question } of questions.slice(0, 100)) await safe.rank(question)
  for (const { question } of questions) {
    const tries: number[] = []
    while (tries.length < TRIES) tries.push((await timed(() => safe.rank(question))).processor)
    best.push(Math.min(...tries))
  }
  return best
}
