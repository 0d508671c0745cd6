import { indented, oneLine, quoted } from './one-line.js'
import type { Mode } from './ranking.js'
import { counted, entityLine, type Summary, shortenedSummary, sizeText, summaryLines } from './summary.js'
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
/** Lengths to which the lists beside facts and passages are cut before any of those is dropped. */
const listLengths = [10, 3]
/** Of the Safe's name, in an answer that is nothing else. */
const shortestName = 10

/**
 * The answer as text for an assistant: a line that names the Safe, and the source where all facts have the same; the
 * summary; one fact a line, then passages with title and source; of several entities so for each; then the hints.
 */
export function answerText(answer: Answer): string {
  const source = commonSource(answer)
  return [
    headLine(answer, source),
    ...leadLines(answer),
    ...groupsOf(answer).flatMap(group => groupLines(group, source)),
    ...answer.hints.map(oneLine),
  ].join('\n')
}

function headLine(
  { safe, facts, passages, total, truncated, summary }: Answer,
  source: string | null,
): string {
  const name = `Safe ${quoted(safe.name)}`
  if (summary?.kind === 'overview') return `${name}: ${sizeText(summary.counts)}.`
  if (total === 0 && truncated) return `${name}: the answer does not fit. Ask again with a larger max_tokens.`
  if (total === 0)
    return summary?.kind === 'entity' ? `${name}: only the name is known.` : `${name}: nothing found.`
  const shown = facts.length + passages.length
  if (shown > 0) {
    const kinds = [
      facts.length > 0 ? counted(facts.length, 'fact') : '',
      passages.length > 0 ? counted(passages.length, 'passage') : '',
    ]
    const of = shown < total ? ` of ${total}` : ''
    return `${name}: ${kinds.filter(Boolean).join(' and ')}${of} found.${sourceSentence(passages, source)}`
  }
  return truncated
    ? `${name}: ${total} found, but none of them fits. Ask again with a larger max_tokens.`
    : `${name}: all ${total} found were given before; there are no more.`
}

function sourceSentence(passages: AnswerPassage[], source: string | null): string {
  if (source === null) return ''
  const others = passages.some(passage => passage.source !== source)
  return ` Source${others ? ' where none is named' : ''}: ${quoted(source)}.`
}

/** The source that all facts have, or all passages if there are no facts; null if naming it once saves nothing. */
export function commonSource({ facts, passages }: Answer): string | null {
  const ofPassages = passages.map(({ source }) => source)
  const says = facts.length > 0 ? facts.map(({ sources }) => sources.join('; ')) : ofPassages
  const [first] = says
  if (first === undefined || says.some(source => source !== first)) return null
  const lines = facts.length + ofPassages.filter(source => source === first).length
  return lines > 1 ? first : null
}

/** What is told before facts and passages. */
export function leadLines({ mode, summary, facts, entities }: Answer): string[] {
  const reached = mode === 'walk' && facts.length > 0 ? [oneLine(`Reached: ${entities.join('; ')}.`)] : []
  return [...(summary ? summaryLines(summary, facts.length) : []), ...reached]
}

/** Facts and passages that stand together. */
export interface AnswerGroup {
  /** The line about the entity of which they are; null if they are of all. */
  about: string | null
  facts: AnswerFact[]
  passages: AnswerPassage[]
}

/** One group, or of several entities one for each and one for what is left. */
export function groupsOf({ mode, summary, facts, passages }: Answer): AnswerGroup[] {
  const rest = { facts: mode === 'entity' ? byPredicate(facts) : facts, passages }
  if (summary?.kind !== 'entities') return [{ about: null, ...rest }]
  const groups = summary.entities.map(entity => {
    const isOf = ({ subject, object }: AnswerFact) => subject === entity.name || object === entity.name
    const group = {
      about: entityLine(entity),
      facts: rest.facts.filter(isOf),
      passages: rest.passages.filter(({ title }) => title === entity.name),
    }
    rest.facts = rest.facts.filter(fact => !isOf(fact))
    rest.passages = rest.passages.filter(passage => !group.passages.includes(passage))
    return group
  })
  return rest.facts.length + rest.passages.length === 0 ? groups : [...groups, { about: null, ...rest }]
}

/** Of one entity the facts of one kind stand together. */
function byPredicate(facts: AnswerFact[]): AnswerFact[] {
  const kinds = new Map<string, AnswerFact[]>()
  for (const fact of facts) kinds.set(fact.predicate, [...(kinds.get(fact.predicate) ?? []), fact])
  return [...kinds.values()].flat()
}

function groupLines({ about, facts, passages }: AnswerGroup, source: string | null): string[] {
  const factLines = facts.map(fact => factLine(fact, source))
  const passageLines = passages.flatMap(passage => [passageLine(passage, source), ...neighbourLines(passage)])
  if (about !== null) return ['', about, ...factLines, ...passageLines]
  return passageLines.length === 0 ? factLines : [...factLines, '', ...passageLines]
}

function factLine({ subject, predicate, object, sources }: AnswerFact, source: string | null): string {
  const says = sources.join('; ')
  return oneLine(`${subject} \u2014 ${predicate} \u2192 ${object}${says === source ? '' : ` [${says}]`}`)
}

function passageLine({ title, text, time, source: says }: AnswerPassage, source: string | null): string {
  const known = [says === source ? undefined : says, time].filter(part => part !== undefined)
  const head = known.length === 0 ? title : `${title} [${known.join(', ')}]`
  return `${oneLine(head)}: ${indented(text)}`
}

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
 * The answer in at most `maxTokens`, and `truncated` if something had to go: neighbours go
 * first and do not count, long passages, then the lists beside them
 * are shortened, then the facts and passages with the lowest scores are dropped, and only when nothing is left the
 * hints; at last the Safe's own name is shortened. A next page begins after `facts.length + passages.length`, because
 * dropped ones were the last in order.
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
  const [length = 0] = listLengths
  return droppedToFit(withLists(withPassages(alone, passageLengths.at(-1) ?? 0), length), maxTokens)
}

/** With the lists beside facts and passages cut to a length; at 0 without them. */
function withLists({ summary, ...answer }: Answer, length: number): Answer {
  const { linked, entities } = answer
  const shorter = {
    ...answer,
    linked: linked.slice(0, length),
    entities: entities.slice(0, length),
    truncated: true,
  }
  return summary && length > 0 ? { ...shorter, summary: shortenedSummary(summary, length) } : shorter
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

function droppedToFit(answer: Answer, maxTokens: number): Answer {
  const fits = (candidate: Answer) => answerTokens(candidate) <= maxTokens
  const short = withLists(withPassages(answer, shortestPassage), listLengths.at(-1) ?? 0)
  const bare = withLists(short, 0)
  const nothing = { ...best(bare, 0), hints: [] }
  const { id, name } = answer.safe
  const candidates = [
    answer,
    short,
    mostThatFit(short, fits),
    mostThatFit(bare, fits),
    mostThatFit({ ...bare, hints: [] }, fits),
    { ...nothing, hints: answer.hints },
    nothing,
    { ...nothing, safe: { id, name: shortened(name, shortestName) } },
  ]
  return candidates.find(fits) ?? candidates.at(-1) ?? answer
}

/** Finds by halving how many of the best facts and passages fit; one in any case. */
function mostThatFit(answer: Answer, fits: (candidate: Answer) => boolean): Answer {
  let most = 1
  let tooMany = answer.facts.length + answer.passages.length
  while (tooMany - most > 1) {
    const middle = (most + tooMany) >> 1
    if (fits(best(answer, middle))) most = middle
    else tooMany = middle
  }
  return best(answer, most)
}

/** The first `count` facts and passages by score. */
function best(answer: Answer, count: number): Answer {
  const scores = [...answer.facts, ...answer.passages].map(({ score }) => score).sort((a, b) => b - a)
  const least = scores[count - 1] ?? Number.POSITIVE_INFINITY
  const facts = answer.facts.filter(({ score }) => score >= least).slice(0, count)
  const passages = answer.passages.filter(({ score }) => score >= least).slice(0, count - facts.length)
  return { ...answer, facts, passages, truncated: true }
}
