import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface SetPassage {
  title: string
  text: string
  /** Of a note: its place in the folder. A set whose passages have one goes through the import of a folder. */
  path?: string
}

export interface SetQuestion {
  question: string
  /** Titles of the passages that are needed to answer it, and their positions where titles repeat. */
  gold: string[]
  gold_index?: number[]
  /** Titles of passages of which each does as well as the first of `gold`. */
  also?: string[]
  /** What an answer has to say: one of these, word for word. */
  answer?: string
  answers?: string[]
  /** What an assistant would pass beside the question. */
  otherWords?: string[]
}

/** A set of questions over passages. */
export interface QuestionSet {
  name: string
  passages: SetPassage[]
  questions: SetQuestion[]
}

/** Every `*.json` of a folder, with the phrases of `other-words/` and the answers of `answers/` under the same name. */
export function readSets(folder: string): QuestionSet[] {
  return readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .sort()
    .map(file => {
      const set: QuestionSet = readJson(join(folder, file))
      const otherWords = besides<string[]>(join(folder, 'other-words', file))
      const answers = besides<string[]>(join(folder, 'answers', file))
      const questions = set.questions.map(asked => ({
        ...asked,
        ...(otherWords[asked.question] && { otherWords: otherWords[asked.question] }),
        ...(answers[asked.question] && { answers: answers[asked.question] }),
      }))
      return { ...set, questions: questions as SetQuestion[], name: file.replace(/\.json$/, '') }
    })
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

/** Question → what a file beside the set gives for it. */
const besides = <Value>(path: string): Record<string, Value | undefined> =>
  existsSync(path) ? readJson(path) : {}

/** What a question needs: of each group one passage, by positions in the set. */
export function needsOf({ passages, questions }: QuestionSet): Set<number>[][] {
  const byTitle = new Map<string, number>()
  for (const [at, { title }] of passages.entries()) if (!byTitle.has(title)) byTitle.set(title, at)
  const positionOf = (title: string) => byTitle.get(title) ?? -1
  return questions.map(({ gold, gold_index, also = [] }) => {
    const needed = [...new Set(gold_index ?? gold.map(positionOf))]
    return needed.map((position, at) => new Set(at === 0 ? [position, ...also.map(positionOf)] : [position]))
  })
}

/**
 * The texts of which one has to stand in an answer; empty where the set does not know. No text says "yes" or "no" to a
 * question: these would be found by chance, in "eyes" and "know".
 */
export const answersOf = ({ answer, answers = [] }: SetQuestion): string[] =>
  [...(answer === undefined ? [] : [answer]), ...answers].filter(text => !/^\s*(?:yes|no)?\s*$/i.test(text))
