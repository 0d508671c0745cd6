import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AliasRow, EntityRow, GraphSource, PassageRow, RelationRow } from '../../graph/model.js'
import { query } from '../../graph/query.js'
import type { Ranking } from '../../graph/ranking.js'
import { buildIndex } from '../../graph/safe-index.js'
import { normalizeName } from '../../graph/text.js'

export interface SetPassage {
  title: string
  text: string
}

/** A set of questions: which passages (by title, or by position where titles repeat) are needed to answer each. */
export interface QuestionSet {
  name: string
  passages: SetPassage[]
  questions: { question: string; gold: string[]; gold_index?: number[] }[]
}

/** Every `*.json` of a folder. */
export function readSets(folder: string): QuestionSet[] {
  return readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .sort()
    .map(file => ({
      ...JSON.parse(readFileSync(join(folder, file), 'utf8')),
      name: file.replace(/\.json$/, ''),
    }))
}

/** Positions of the passages that a question needs. */
export function goldOf({ passages, questions }: QuestionSet): Set<number>[] {
  const byTitle = new Map<string, number>()
  for (const [at, { title }] of passages.entries()) if (!byTitle.has(title)) byTitle.set(title, at)
  return questions.map(({ gold, gold_index }) => {
    const positions = gold_index ?? gold.map(title => byTitle.get(title) ?? -1)
    return new Set(positions)
  })
}

/** Positions of a question's passages, best first. */
export type Retriever = (question: string, count: number) => number[]

/** The product: every passage belongs to an entity that is called like its title, as an import would leave it. */
export async function product(passages: readonly SetPassage[]): Promise<Retriever> {
  const index = await buildIndex(new SetSource(passages))
  return (question, count) => {
    const ranking: Ranking = query(index, { query: question, limit: count, offset: 0 })
    return ranking.passages.slice(0, count).map(({ ref }) => ref.id - 1)
  }
}

class SetSource implements GraphSource {
  readonly #passages: readonly SetPassage[]

  constructor(passages: readonly SetPassage[]) {
    this.#passages = passages
  }

  async *entities(): AsyncGenerator<EntityRow[]> {
    yield this.#passages.map(({ title }) => ({
      importId: 1,
      key: normalizeName(title),
      name: title,
      type: null,
    }))
  }

  async *aliases(): AsyncGenerator<AliasRow[]> {}

  async *relations(): AsyncGenerator<RelationRow[]> {}

  async *passages(): AsyncGenerator<PassageRow[]> {
    yield this.#passages.map(({ title, text }, at) => ({
      importId: 1,
      id: at + 1,
      entityKey: normalizeName(title),
      title,
      text,
      time: null,
    }))
  }
}
