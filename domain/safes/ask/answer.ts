import { LINKS_TO, type Mode, normalizeName } from '../../../engine/graph/index.js'
import type { AnswerSummary } from './answer-summary.js'
import { factTimesText, type ShownTimes } from './fact-times-text.js'
import { indented, oneLine, quoted } from './one-line.js'
import { counted, entityLine, sizeText, summaryLines } from './summary-lines.js'
import type { Verdict } from './verdict.js'

/**
 * The answer returned by the tool `svc`, the pages and `svc ask` (GRAPH §5). Scores can only be compared
 * within one answer.
 */
export interface Answer {
  safe: { id: string; name: string }
  mode: Mode
  /** Recognized names: the words of the question and the entity's name. */
  linked: { text: string; entity: string }[]
  /** Whether it answers the question: certainly (with a lead, in a search), perhaps, or not. Absent where nothing fits. */
  verdict?: Verdict
  /** How certain it is that it answers, 0 … 1. Absent as `verdict` is. */
  confidence?: number
  lead?: Lead
  facts: AnswerFact[]
  passages: AnswerPassage[]
  /** Names of the entities that the answer is about, best first. */
  entities: string[]
  /** Facts and passages found, before `limit` and `max_tokens` apply. */
  total: number
  truncated: boolean
  next_cursor: string | null
  /** Sentences an assistant can act on: why nothing was found, similar names, what to ask next. */
  hints: string[]
  /** The mode's additional result, on the first page only. */
  summary?: AnswerSummary
}

/** The lead of an answer. */
export interface Lead {
  /** A sentence, cells of a row, or a fact. */
  text: string
  /** The id of its passage or fact in the answer. */
  id: string
}

/** Dates are absent if unknown. */
export interface AnswerFact extends ShownTimes {
  id: string
  subject: string
  predicate: string
  object: string
  /** Names of the imports that state it. */
  sources: string[]
  score: number
}

export interface AnswerPassage {
  id: string
  title: string
  text: string
  /** The time it is about: ISO 8601, a date or a moment in UTC. Absent if the file gives none. */
  time?: string
  source: string
  /** The path of its document and the headings above it. Absent if it has no document. */
  document?: string
  heading?: string
  /** The page that shows it in its document; without a document, the page of the thing it is about. */
  url?: string
  score: number
  /**
   * The neighbouring passages of its sequence, shortened. Absent when they are in the answer themselves or do
   * not fit.
   */
  before?: string
  after?: string
}

/**
 * The answer as text for an assistant: a line with the Safe and the common source, the summary, one fact per
 * line, passages with title and source, then the hints. An answer about several entities repeats facts and
 * passages for each.
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

/**
 * All lines except those of facts and passages. It includes every line that could appear, however few facts
 * and passages are shown, so that the estimated cost is an upper bound.
 */
export function frameLines(answer: Answer): string[] {
  const groups = answer.summary?.kind === 'entities' ? groupsOf(answer).map(({ about }) => about ?? '') : []
  const lead = leadLines({ ...answer, facts: answer.mode === 'walk' ? answer.facts : [] })
  const hints = answer.hints.map(oneLine)
  return [headLine(answer, commonSource(answer)), ...lead, ...groups, '', '', '', ...hints]
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
    const kinds = [facts.length && counted(facts.length, 'fact')]
    kinds.push(passages.length && counted(passages.length, 'passage'))
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

/** The source shared by all facts, or by all passages if there are no facts; null if naming it once saves nothing. */
export function commonSource({ facts, passages }: Answer): string | null {
  const ofPassages = passages.map(({ source }) => source)
  const says = facts.length > 0 ? facts.map(({ sources }) => sources.join('; ')) : ofPassages
  const [first] = says
  if (first === undefined || says.some(source => source !== first)) return null
  const lines = facts.length + ofPassages.filter(source => source === first).length
  return lines > 1 ? first : null
}

/** The note in the text form of an uncertain answer, so that a model does not present it as certain. */
const DOUBTS: Readonly<Record<Verdict, string[]>> = {
  answered: [],
  possible: ['Nothing answers this for certain. Closest:'],
  none: ['Nothing here answers this. What follows only shares words with the question:'],
}

/** The lines before facts and passages. */
export function leadLines(answer: Answer): string[] {
  const { mode, summary, facts, passages, entities, linked, lead, verdict } = answer
  const names = [...new Set(linked.map(({ entity }) => entity))]
  // Other modes name them in their summaries.
  const recognized =
    mode === 'search' && names.length > 0 ? [oneLine(`Recognized: ${names.join('; ')}.`)] : []
  const reached = mode === 'walk' && facts.length > 0 ? [oneLine(`Reached: ${entities.join('; ')}.`)] : []
  // A fact is one of the lines below.
  const place = passages.find(({ id }) => id === lead?.id)
  const said = lead && place ? [oneLine(`Answer: ${lead.text} [${place.title}]`)] : []
  const doubt = verdict && facts.length + passages.length > 0 ? DOUBTS[verdict] : []
  const summed = summary ? summaryLines(summary, facts.length) : []
  return [...summed, ...recognized, ...reached, ...said, ...doubt]
}

/** Facts and passages shown together. */
interface AnswerGroup {
  /** The line about the group's entity; null when the group is not about one entity. */
  about: string | null
  facts: AnswerFact[]
  passages: AnswerPassage[]
  /** Facts that only link one note to another; they come last. */
  links: AnswerFact[]
}

/** One group, or for several entities one group each and one for the rest. Passages of one note stay together. */
export function groupsOf({ mode, summary, facts, passages }: Answer): AnswerGroup[] {
  const isApart = (fact: AnswerFact) => fact.predicate === LINKS_TO && mode !== 'path' && mode !== 'walk'
  const group = (about: string | null, facts: AnswerFact[], passages: AnswerPassage[]): AnswerGroup => ({
    about,
    facts: facts.filter(fact => !isApart(fact)),
    passages,
    links: facts.filter(isApart),
  })
  const rest = { facts: mode === 'entity' ? byPredicate(facts) : facts, passages: byNote(passages) }
  if (summary?.kind !== 'entities') return [group(null, rest.facts, rest.passages)]
  const groups = summary.entities.map(entity => {
    const isOf = ({ subject, object }: AnswerFact) => subject === entity.name || object === entity.name
    const own = rest.passages.filter(({ title }) => isTitleOf(entity.name, title))
    const found = group(entityLine(entity), rest.facts.filter(isOf), own)
    rest.facts = rest.facts.filter(fact => !isOf(fact))
    rest.passages = rest.passages.filter(passage => !own.includes(passage))
    return found
  })
  if (rest.facts.length + rest.passages.length === 0) return groups
  return [...groups, group(null, rest.facts, rest.passages)]
}

/** Whether the passage's title is the entity's name, in any spelling, alone or followed by headings. */
function isTitleOf(name: string, title: string): boolean {
  const [key, titled] = [name, title].map(normalizeName)
  return key === titled || titled?.startsWith(`${key} > `) === true
}

/** Groups the facts of one entity by predicate. */
const byPredicate = (facts: AnswerFact[]) => grouped(facts, fact => fact.predicate).flat()

/** Groups passages by note: a title is the note's name, followed by headings. */
const byNote = (passages: AnswerPassage[]) =>
  grouped(passages, ({ title, source }) => `${title.split(' > ', 1)[0]}\0${source}`).flat()

/** Groups items by kind; kinds keep the order of their first item. */
function grouped<Item>(items: readonly Item[], kindOf: (item: Item) => string): Item[][] {
  const kinds = new Map<string, Item[]>()
  for (const item of items) {
    const kind = kindOf(item)
    const others = kinds.get(kind)
    if (others) others.push(item)
    else kinds.set(kind, [item])
  }
  return [...kinds.values()]
}

function groupLines({ about, facts, passages, links }: AnswerGroup, source: string | null): string[] {
  const linesOf = (facts: AnswerFact[]) => facts.map(fact => factLine(fact, source))
  const passageLines = passages.flatMap(passage => [passageLine(passage, source), ...neighbourLines(passage)])
  if (about !== null) return ['', about, ...linesOf(facts), ...passageLines, ...linesOf(links)]
  const parts = [linesOf(facts), passageLines, linesOf(links)]
  // A blank line separates the passages even when there are no facts before them.
  return parts.flatMap((lines, at) => (lines.length > 0 && at > 0 ? ['', ...lines] : lines))
}

/** A fact as one line of text, without its source where that is `source`, the heading above it. */
export function factLine(
  { subject, predicate, object, sources, ...times }: AnswerFact,
  source: string | null,
): string {
  const says = sources.join('; ')
  const when = factTimesText(times)
  return oneLine(
    `${subject} \u2014 ${predicate} \u2192 ${object}${when && ` (${when})`}${says === source ? '' : ` [${says}]`}`,
  )
}

/** With its page on a line of its own, indented like neighbours, which no passage can imitate. */
export function passageLine(
  { title, text, time, source: says, document, url }: AnswerPassage,
  source: string | null,
): string {
  const places = [says === source ? undefined : says, document === says ? undefined : document]
  const known = [...places, time].filter(part => part !== undefined)
  const head = known.length === 0 ? title : `${title} [${known.join(', ')}]`
  const page = url === undefined ? '' : `\n page: ${url}`
  return `${oneLine(head)}: ${indented(text)}${page}`
}

/** Indented by one space: less than the lines of a passage, more than other lines. */
export function neighbourLines({ before, after }: Pick<AnswerPassage, 'before' | 'after'>): string[] {
  return [
    ...(before === undefined ? [] : [` before: ${oneLine(before)}`]),
    ...(after === undefined ? [] : [` after: ${oneLine(after)}`]),
  ]
}
