import { type Evidence, expectedOf, isMere } from '../../../../engine/graph/index.js'
import type { Answer, AnswerFact, AnswerPassage, Lead } from '../answer.js'
import type { Held } from '../verdict.js'
import { Asked, wordsOf } from './asked.js'
import { bestCells } from './cells.js'
import { lastHop } from './last-hop.js'
import { bestSentence, type Sentence } from './sentence.js'

/** Maximum passages whose sentences are compared. */
const COMPARED = 10
/** The weights of a passage's rank, of its title's words in the question, and of other passages of its document, at most 3 × the best. */
const RANK = 0.5
const TITLED = 0.2
const TOGETHER = 0.2
const MAX_TOGETHER = 3
/** The bonus if a question names a row and its column, or a relation. */
const NAMED = 0.4

/** How fast the sentences of other passages stop to compete with better ones. */
const SHARPNESS = 6

/** The candidates for a lead. */
interface BestLead extends Held {
  lead: Lead | null
  /** The passages, those with the best sentences first. */
  passages: AnswerPassage[]
  /** The ids of passages, and the start of their best sentences. */
  places: Map<string, number>
}

/**
 * The last fact of a chain that the question follows; else the best sentence of the best passages, the cells of a row
 * that the question names, or a fact that ranks above them or whose relation is named, and has as many words of the question.
 */
export function bestLead(
  { facts, passages, linked }: Pick<Answer, 'facts' | 'passages' | 'linked'>,
  query: string,
  { asked: words }: Pick<Evidence, 'asked'>,
): BestLead {
  const asked = new Asked(words, query)
  const compared = compare(passages.slice(0, COMPARED), asked, query)
  const [best] = compared
  const around = {
    passages: [...compared.map(({ passage }) => passage), ...passages.slice(COMPARED)],
    places: new Map(
      compared.flatMap(({ passage: { id }, sentence }) => (sentence ? [[id, sentence.at]] : [])),
    ),
  }
  const sentence = best?.sentence ?? null
  const telling = facts.filter(({ predicate }) => !isMere(predicate) || asked.in(predicate) > 0)
  const last = lastHop(
    telling,
    asked,
    linked.map(({ entity }) => entity),
  )
  const ofFacts = { sentence: null, ...around }
  if (last) return { lead: ofFact(last), score: 1 + NAMED, near: 1, titled: 1, ...ofFacts }
  const told = telling.map(fact => toldBy(fact, asked)).sort((a, b) => b.score - a.score)
  const [{ fact, isNamed, ...held } = { fact: null, isNamed: false, score: 0, near: 0, titled: 0 }] = told
  const isAbove = isNamed || (fact?.score ?? 0) > (passages[0]?.score ?? 0)
  if (fact && (sentence === null || (isAbove && held.score >= sentence.score)))
    return { lead: ofFact(fact), ...held, ...ofFacts }
  if (!best || !sentence) return { lead: null, score: 0, near: 0, titled: 0, ...ofFacts }
  // The same sentence elsewhere only confirms it.
  const others = compared.filter(other => other.sentence?.text !== sentence.text)
  const length = Math.min(1.5, sentence.words / 20)
  const rivals = others.reduce((sum, { total }) => sum + Math.exp(SHARPNESS * (total - best.total)), 0)
  return {
    lead: { text: sentence.text, id: best.passage.id },
    ...{ score: sentence.score, near: 0, titled: 0 },
    sentence: { rivals: Math.log1p(rivals), length, expected: Number(sentence.isExpected) },
    ...around,
  }
}

/** Passages with their best sentences, the best first. */
function compare(passages: readonly AnswerPassage[], asked: Asked, question: string) {
  const expected = expectedOf(question)
  const first = passages[0]?.score ?? 1
  const compared = passages.map(passage => {
    const { title, document, score } = passage
    const sentence = cellsOf(passage, asked) ?? bestSentence(passage, asked, expected)
    const beside = passages.filter(other => other !== passage && document && other.document === document)
    const together = beside.reduce((sum, other) => sum + other.score / first, 0) / MAX_TOGETHER
    const words = wordsOf(title)
    const titled = words.filter(word => asked.in(word, [word]) > 0).length / Math.max(1, words.length)
    const around = (RANK * score) / first + TITLED * titled + TOGETHER * Math.min(1, together)
    return { passage, sentence, total: (sentence?.score ?? 0) + around }
  })
  return compared.sort((a, b) => b.total - a.total)
}

/** The part of a table row that a question asks for. */
function cellsOf({ title, text }: AnswerPassage, asked: Asked): Sentence | null {
  const [name = title] = title.split(' > ')
  const cells = bestCells(name, text, asked)
  if (!cells) return null
  const score = asked.worth(asked.in(cells.text)) + (cells.isNamed ? NAMED : 0)
  return { text: cells.text, score, at: 0, words: 0, isExpected: true }
}

/** The share of a question that a fact contains. */
function toldBy(fact: AnswerFact, asked: Asked) {
  const { subject, predicate, object } = fact
  const [ofPredicate, ofThings] = [asked.in(predicate), asked.in(subject) | asked.in(object)]
  const near = asked.worth(ofThings | ofPredicate)
  const isNamed = ofPredicate !== 0
  return { fact, isNamed, score: near + (isNamed ? NAMED : 0), near, titled: asked.worth(ofThings) }
}

const ofFact = ({ id, subject, predicate, object }: AnswerFact): Lead => ({
  text: `${subject} ${predicate} ${object}`,
  id,
})
