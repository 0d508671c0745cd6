import { nearestPhrases } from './dictionary.js'
import { type Link, type LinkedQuestion, link } from './link.js'
import type { RowRef } from './model.js'
import { QuestionWords } from './question-words.js'
import { rankFacts } from './rank-facts.js'
import { rankPassages } from './rank-passages.js'
import { rowsOf, type SafeIndex } from './safe-index.js'
import { stringAt } from './strings.js'
import type { Scored } from './top.js'

export interface Query {
  query: string
  /** Facts and passages together. */
  limit: number
  /** Of them, how many to leave out at the start: the next page. */
  offset: number
}

/** What an index answers: rows to read and names by their keys, best first. */
export interface Ranking {
  /** Words of the question and the key of the entity they mean. */
  linked: { text: string; entity: string }[]
  /** `ref` is the first of `sources`: every row that says the same. */
  facts: { ref: RowRef; sources: RowRef[]; score: number }[]
  passages: { ref: RowRef; score: number }[]
  /** Keys of the entities the answer is about. */
  entities: string[]
  /** Facts and passages found; very large answers are cut at 700. */
  total: number
  /** What the Safe holds. */
  counts: { entities: number; relations: number; passages: number }
  /** Words of the question that occur nowhere in the Safe. */
  unmatched: string[]
  /** Keys of entities with names like the words that matched nothing. */
  nearest: string[]
}

/** Entities named in an answer. */
const maxEntities = 10
const maxNearest = 5
/** Facts (or passages) in a row, as long as there are both. */
const longestRun = 3

/**
 * Answers a question from an index (GRAPH §3): the same question over the same index has the same answer, and the cost
 * is bounded whatever the Safe's size.
 */
export function query(index: SafeIndex, { query, limit, offset }: Query): Ranking {
  const question = link(index, query)
  const words = new QuestionWords(index, question)
  const { passages, mass } = rankPassages(index, question, words)
  const facts = rankFacts(index, question, words, mass)
  const page = interleave(facts, passages).slice(offset, offset + limit)
  const linked = bestLinks(question.links)
  return {
    linked: linked.map(({ text, entity }) => ({ text, entity: stringAt(index.entities, entity) })),
    facts: page.flatMap(({ fact, scored: { id, score } }) => {
      const sources = fact ? rowsOf(index.facts.rows, id) : []
      return sources[0] === undefined ? [] : [{ ref: sources[0], sources, score }]
    }),
    passages: page.flatMap(({ fact, scored: { id, score } }) => {
      const [ref] = fact ? [] : rowsOf(index.passages.rows, id)
      return ref === undefined ? [] : [{ ref, score }]
    }),
    entities: entitiesOf(index, linked, facts),
    total: facts.length + passages.length,
    counts: { entities: index.named, relations: index.facts.count, passages: index.passages.count },
    unmatched: question.unmatched,
    nearest: nearest(index, question, facts.length + passages.length === 0),
  }
}

/** One list by score, in which neither kind waits for more than `longestRun` of the other. */
function interleave(facts: Scored[], passages: Scored[]): Found[] {
  const merged: Found[] = []
  let atFact = 0
  let atPassage = 0
  let run = 0
  while (atFact < facts.length || atPassage < passages.length) {
    const fact = facts[atFact]
    const passage = passages[atPassage]
    const last = merged.at(-1)?.fact
    let takeFact = passage === undefined || (fact !== undefined && fact.score >= passage.score)
    if (fact !== undefined && passage !== undefined && run >= longestRun && last === takeFact)
      takeFact = !takeFact
    run = last === takeFact ? run + 1 : 1
    const scored = takeFact ? fact : passage
    if (scored !== undefined) merged.push({ fact: takeFact, scored })
    if (takeFact) atFact++
    else atPassage++
  }
  return inOrderOfScore(merged)
}

/** Raises the score of what was put before something better, so that the scores tell the order and no two are equal. */
function inOrderOfScore(merged: Found[]): Found[] {
  let next = 0
  for (const found of merged.toReversed()) {
    next = Math.max(found.scored.score, next * (1 + 1e-6) + 1e-9)
    found.scored = { ...found.scored, score: next }
  }
  return merged
}

interface Found {
  fact: boolean
  scored: Scored
}

/** Best first; of many meanings of the same words the first few. */
function bestLinks(links: Link[]): Link[] {
  const perText = new Map<string, number>()
  return links
    .toSorted((a, b) => b.weight - a.weight || a.from - b.from || a.entity - b.entity)
    .filter(({ text }) => {
      const before = perText.get(text) ?? 0
      perText.set(text, before + 1)
      return before < 3
    })
    .slice(0, maxEntities)
}

function entitiesOf(index: SafeIndex, linked: Link[], facts: Scored[]): string[] {
  const entities = new Set(linked.map(({ entity }) => entity))
  for (const { id } of facts.slice(0, maxEntities)) {
    entities.add(index.facts.subject[id] ?? 0)
    entities.add(index.facts.object[id] ?? 0)
  }
  return [...entities].slice(0, maxEntities).map(entity => stringAt(index.entities, entity))
}

function nearest(index: SafeIndex, question: LinkedQuestion, nothingFound: boolean): string[] {
  const open = question.words.filter(word => !word.stop).map(word => word.text)
  const words = question.unmatched.length > 0 || !nothingFound ? question.unmatched : open
  const keys = new Set<string>()
  for (const word of words.slice(0, maxNearest)) {
    for (const { meanings } of nearestPhrases(index.dictionary, word.toLowerCase(), 0.3, 3)) {
      const [first] = meanings
      if (first !== undefined) keys.add(stringAt(index.entities, first.entity))
    }
  }
  return [...keys].slice(0, maxNearest)
}
