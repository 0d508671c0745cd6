import { indented, oneLine, quoted } from './one-line.js'
import type { Mode } from './ranking.js'
import { counted, type Summary, shortenedSummary, sizeText, summaryLines } from './summary.js'
import { estimateTokens } from './tokens.js'

/** What the tool `svc`, the pages and `svc ask` answer (GRAPH §5). Scores only order; they compare within one answer. */
export interface Answer {
  safe: { id: string; name: string }
  mode: Mode
  /** What of the question was recognised: the words as asked, and the entity's name. */
  linked: { text: string; entity: string }[]
  facts: AnswerFact[]
  passages: AnswerPassage[]
  /** Names of the entities the answer is about, best first. */
  entities: string[]
  /** Facts and passages found, before `limit` and `max_tokens`. */
  total: number
  truncated: boolean
  next_cursor: string | null
  /** Sentences an assistant can act on: why it is empty, what came near, how to ask on. */
  hints: string[]
  /** What the mode tells besides, on the first page. */
  summary?: Summary
}

export interface AnswerFact {
  id: string
  subject: string
  predicate: string
  object: string
  /** Names of the imports that say so. */
  sources: string[]
  score: number
}

export interface AnswerPassage {
  id: string
  title: string
  text: string
  /** Of what it tells: ISO 8601, a day or a moment in UTC. Absent when its file gives none. */
  time?: string
  source: string
  score: number
  /** What stands before and after it in its sequence, shortened; absent when that is told itself, or has no room. */
  before?: string
  after?: string
}

/** Lengths to which the neighbours of passages are shortened before anything else; 0: left out. */
const neighbourLengths = [80, 0]
/** Lengths to which passages are shortened, one after the other, before any is dropped. */
const passageLengths = [2_000, 1_000, 500]
/** Of a passage that would not fit otherwise. */
const shortestPassage = 200
/** Lengths to which the lists of a summary are cut, before facts and after them. */
const summaryLengths = [10, 3]
/** Of the Safe's name, in an answer that is nothing else. */
const shortestName = 10

/**
 * The answer as text for an assistant: a line that names the Safe, the summary, one fact a line, then passages with
 * title and source, then the hints.
 */
export function answerText(answer: Answer): string {
  return [
    headLine(answer),
    ...(answer.summary ? summaryLines(answer.summary, answer.facts.length) : []),
    ...grouped(answer).map(factLine),
    ...passageLines(answer),
    ...answer.hints.map(oneLine),
  ].join('\n')
}

function headLine({ safe, facts, passages, total, truncated, summary }: Answer): string {
  const name = `Safe ${quoted(safe.name)}`
  if (summary?.kind === 'overview') return `${name}: ${sizeText(summary.counts)}.`
  if (total === 0 && truncated) return `${name}: the answer does not fit. Ask again with a larger max_tokens.`
  if (total === 0)
    return summary?.kind === 'entity' ? `${name}: only the name is known.` : `${name}: nothing found.`
  if (facts.length + passages.length > 0) {
    return `${name}: ${counted(facts.length, 'fact')} and ${counted(passages.length, 'passage')} of ${total} found.`
  }
  return truncated
    ? `${name}: ${total} found, but none of them fits. Ask again with a larger max_tokens.`
    : `${name}: all ${total} found were given before; there are no more.`
}

/** Of one entity the facts of one kind stand together. */
function grouped({ mode, facts }: Answer): AnswerFact[] {
  if (mode !== 'entity') return facts
  const kinds = new Map<string, AnswerFact[]>()
  for (const fact of facts) kinds.set(fact.predicate, [...(kinds.get(fact.predicate) ?? []), fact])
  return [...kinds.values()].flat()
}

function factLine({ subject, predicate, object, sources }: AnswerFact): string {
  return oneLine(`${subject} \u2014 ${predicate} \u2192 ${object} [${sources.join('; ')}]`)
}

function passageLines({ passages }: Answer): string[] {
  if (passages.length === 0) return []
  return [
    '',
    ...passages.flatMap(passage => [
      `${oneLine(passageHead(passage))}: ${indented(passage.text)}`,
      ...neighbourLines(passage),
    ]),
  ]
}

const passageHead = ({ title, source, time }: AnswerPassage) =>
  time === undefined ? `${title} [${source}]` : `${title} [${source}, ${time}]`

/** Indented deeper than lines of a passage can be. */
function neighbourLines({ before, after }: AnswerPassage): string[] {
  return [
    ...(before === undefined ? [] : [`    before: ${oneLine(before)}`]),
    ...(after === undefined ? [] : [`    after: ${oneLine(after)}`]),
  ]
}

/** Tokens of the larger of the two forms of an answer, estimated from above. */
export function answerTokens(answer: Answer): number {
  return Math.max(estimateTokens(JSON.stringify(answer)), estimateTokens(answerText(answer)))
}

/**
 * The answer in at most `maxTokens`, and `truncated` if something had to go: neighbours go first and do not count, long
 * passages and the lists of a summary are shortened, then the facts and passages with the lowest scores are dropped, and
 * only when nothing is left names and hints; at last the Safe's own name is shortened. A next page begins after `facts.length + passages.length`,
 * because dropped ones were the last in order.
 */
export function fitAnswer(answer: Answer, maxTokens: number): Answer {
  if (answerTokens(answer) <= maxTokens) return answer
  for (const length of neighbourLengths) {
    const shorter = withNeighbours(answer, length)
    if (answerTokens(shorter) <= maxTokens) return shorter
  }
  const alone = withNeighbours(answer, 0)
  for (const length of passageLengths) {
    const shorter = withPassages(alone, length)
    if (answerTokens(shorter) <= maxTokens) return shorter
  }
  const [length = 0] = summaryLengths
  return droppedToFit(withSummary(withPassages(alone, passageLengths.at(-1) ?? 0), length), maxTokens)
}

/** Without a summary at length 0. */
function withSummary({ summary, ...answer }: Answer, length: number): Answer {
  if (!summary) return answer
  if (length === 0) return { ...answer, truncated: true }
  return { ...answer, summary: shortenedSummary(summary, length), truncated: true }
}

/** With every passage cut to a length, and `truncated` if one was. */
export function withPassages(answer: Answer, length: number): Answer {
  if (answer.passages.every(({ text }) => text.length <= length)) return answer
  const passages = answer.passages.map(passage => ({ ...passage, text: shortened(passage.text, length) }))
  return { ...answer, passages, truncated: true }
}

/** With the neighbours of passages cut to what is nearest to them; without any at length 0. */
export function withNeighbours(answer: Answer, length: number): Answer {
  const passages = answer.passages.map(({ before, after, ...passage }) => ({
    ...passage,
    ...(before === undefined || length === 0 ? {} : { before: lastOf(before, length) }),
    ...(after === undefined || length === 0 ? {} : { after: shortened(after, length) }),
  }))
  return { ...answer, passages }
}

/** As `shortened`, of its end. */
function lastOf(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(-length).replace(/^[\udc00-\udfff]/, '')
  const blank = cut.indexOf(' ')
  return `\u2026${blank < length * 0.2 ? cut.slice(blank + 1) : cut}`
}

/** Cut at a word where one ends nearby, never inside a surrogate pair. */
function shortened(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
  const blank = cut.lastIndexOf(' ')
  return `${blank > length * 0.8 ? cut.slice(0, blank) : cut}\u2026`
}

/** Finds by halving how many of the best facts and passages fit. */
function droppedToFit(answer: Answer, maxTokens: number): Answer {
  let fits = 0
  let tooMany = answer.facts.length + answer.passages.length
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (answerTokens(best(answer, middle)) <= maxTokens) fits = middle
    else tooMany = middle
  }
  const kept = best(answer, Math.max(1, fits))
  const nothing = { ...withSummary(best(answer, 0), 0), entities: [], linked: [], hints: [] }
  const { id, name } = answer.safe
  const candidates = [
    kept,
    withPassages(kept, shortestPassage),
    withSummary(withPassages(kept, shortestPassage), summaryLengths.at(-1) ?? 0),
    { ...withSummary(withPassages(kept, shortestPassage), 0), entities: [], linked: [] },
    { ...nothing, hints: answer.hints },
    nothing,
    { ...nothing, safe: { id, name: shortened(name, shortestName) } },
  ]
  return candidates.find(candidate => answerTokens(candidate) <= maxTokens) ?? candidates.at(-1) ?? answer
}

/** The first `count` facts and passages by score. */
function best(answer: Answer, count: number): Answer {
  const scores = [...answer.facts, ...answer.passages].map(({ score }) => score).sort((a, b) => b - a)
  const least = scores[count - 1] ?? Number.POSITIVE_INFINITY
  const facts = answer.facts.filter(({ score }) => score >= least).slice(0, count)
  const passages = answer.passages.filter(({ score }) => score >= least).slice(0, count - facts.length)
  return { ...answer, facts, passages, truncated: true }
}
