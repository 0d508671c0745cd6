import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface SetPassage {
  title: string
  text: string
  /** For a note: its path in the folder. A set with such paths goes through the import of a folder. */
  path?: string
}

export interface SetQuestion {
  question: string
  /** Titles of the passages that are needed to answer it, and their positions where titles repeat. */
  gold: string[]
  gold_index?: number[]
  /** Titles of passages that are as good as the first of `gold`. */
  also?: string[]
  /** Expected words: an answer contains one of these literally. */
  answer?: string
  answers?: string[]
  /** Additional arguments of an assistant. */
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

/** Question → its value in a file next to the set. */
const besides = <Value>(path: string): Record<string, Value | undefined> =>
  existsSync(path) ? readJson(path) : {}

/** The passages a question needs: one of each group, by positions in the set. */
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
 * An answer must contain one of these texts; empty if the set has none. Never "yes" or "no" for a
 * question: these would be found by chance, in "eyes" and "know".
 */
export const answersOf = ({ answer, answers = [] }: SetQuestion): string[] =>
  [...(answer === undefined ? [] : [answer]), ...answers].filter(text => !/^\s*(?:yes|no)?\s*$/i.test(text))
