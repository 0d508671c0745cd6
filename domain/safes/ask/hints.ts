import type { RangeReport, Ranking } from '../../../engine/graph/index.js'
import type { AnswerSummary } from './answer-summary.js'
import { quoted } from './one-line.js'
import { counted, sizeText } from './summary-lines.js'
import { timeText } from './time-text.js'

/** The input for hints, with names instead of keys. */
interface HintsInput
  extends Omit<Ranking, 'linked' | 'facts' | 'passages' | 'entities' | 'evidence' | 'summary'> {
  evidence?: Ranking['evidence']
  safeName: string
  /** The filters of the question, such as "in". */
  limits?: string
  summary: AnswerSummary | undefined
  /** Recognized names: the words of the question and the entity's name. */
  linked: { text: string; entity: string }[]
}

/** For an uncertain answer to a question without other words. */
export const OTHER_WORDS_HINT =
  'If this is not what you need, ask again with "other_words": 3 to 5 phrases that the notes may use.'

/** For questions without searchable words, or without any in another language. */
const ONLY_COMMON_WORDS =
  'All words of the question are too common to search for. Add a name or a word that the notes use.'
const OTHER_LANGUAGE = 'If the notes are in another language, ask in that language.'
/** Maximum words of a question that count, and maximum length of a list of unknown ones. */
const MAX_COMPARED = 30
const MAX_UNMATCHED = 8
const LONG_QUESTION = `Only the first ${MAX_COMPARED} words of this question count. Ask a shorter one for a better answer.`

export const TRY_OTHER_WORDS = 'Try other names or words, or ask without a query for an overview of the Safe.'

/**
 * Sentences an assistant can act on. For an empty answer they name the Safe that was searched, its size, unknown
 * words and similar names, so that "nothing there" differs from "searched in the
 * wrong place" (GRAPH §5).
 */
export function hintsOf(outcome: HintsInput): string[] {
  const { safeName, counts, total, unmatched, nearest, alsoMeant } = outcome
  const hints: string[] = []
  if (total === 0 && outcome.mode !== 'overview') {
    const size = sizeText({ ...counts, facts: counts.relations })
    const { outside } = outcome
    hints.push(
      outside
        ? `Searched ${counted(outside.searched, 'passage')} of the Safe ${quoted(safeName)}, those that ${outcome.limits ?? ''} select.`
        : `Searched the Safe ${quoted(safeName)} (${size}).`,
    )
  }
  if (total === 0 && counts.entities === 0) hints.push('It is empty: its owner can fill it from a file.')
  for (const { text, word } of outcome.corrected)
    hints.push(`Showing results for ${quoted(word)} instead of ${quoted(text)}.`)
  const guesses = guessesOf(outcome)
  for (const [text, names] of guesses)
    hints.push(`${quoted(text)} was read as ${names.map(quoted).join(' or ')}.`)
  const open = unmatched.filter(word => ![...guesses.keys()].some(text => text.includes(word)))
  const more = open.length > MAX_UNMATCHED ? ` and ${open.length - MAX_UNMATCHED} more words` : ''
  if (open.length > 0)
    hints.push(`Nothing in this Safe matches: ${open.slice(0, MAX_UNMATCHED).join(', ')}${more}.`)
  if ((outcome.evidence?.asked.length ?? 0) >= MAX_COMPARED) hints.push(LONG_QUESTION)
  const near = nearest.filter(name => ![...guesses.values()].flat().includes(name))
  if (near.length > 0) hints.push(`Similar names: ${near.join(', ')}.`)
  if (alsoMeant.length > 0)
    hints.push(
      `${new Set(outcome.linked.map(({ text }) => text)).size > 1 ? 'The names' : 'The name'} can also mean: ${alsoMeant.join(', ')}.`,
    )
  hints.push(...furtherSteps(outcome))
  return hints
}

/** The names of entities that were merged (ADR 56): passages may use them. */
export const otherNamesHint = (name: string, others: readonly string[]): string =>
  `${quoted(name)} is also called ${others.map(quoted).join(', ')} here.`

/** Misspelled names and the names they were matched to. */
function guessesOf({ linked, unmatched, nearest }: HintsInput): Map<string, string[]> {
  const guesses = new Map<string, string[]>()
  for (const { text, entity } of linked) {
    if (unmatched.some(word => text.includes(word))) guesses.set(text, [...(guesses.get(text) ?? []), entity])
  }
  // In "Jonas Lindqwist" the first name may have matched the entity whose name resembles the second.
  const [word] = unmatched
  const names = nearest.filter(name => linked.some(({ entity }) => entity === name))
  if (guesses.size === 0 && word !== undefined && unmatched.length === 1 && names.length > 0)
    guesses.set(word, names)
  return guesses
}

/** What to ask next. */
function furtherSteps(outcome: HintsInput): string[] {
  const { total, counts, summary } = outcome
  if (summary?.kind === 'overview' && counts.entities > 0)
    return ['Ask with one of these names for everything about it, or ask a question.']
  if (summary?.kind === 'entities' && new Set(outcome.linked.map(({ text }) => text)).size === 1)
    return ['Ask with one of these names exactly as shown, including the id, for everything about it.']
  const hasSummary = summary?.kind === 'entity' || summary?.kind === 'entities'
  return total === 0 && counts.entities > 0 && !hasSummary ? nextTry(outcome) : []
}

/** What to try after an empty answer. */
function nextTry(outcome: HintsInput): string[] {
  const { mode, linked, unmatched, nearest, unknownRelation, range, outside } = outcome
  if (range) return rangeHints(range)
  if (outside && outside.found > 0)
    return [`Without ${outcome.limits} ${counted(outside.found, 'result')} would be found.`]
  if (unknownRelation) {
    const { relation, known } = unknownRelation
    const others =
      known.length > 0 ? ` Relations from there: ${known.join(', ')}.` : ' There are none from there.'
    return [`No relation here is called ${quoted(relation)}.${others}`]
  }
  if (mode === 'path' && unmatched.length === 0) {
    const [from, to] = linked
    if (from === undefined) return ['Name the two ends with "from" and "to".']
    if (to === undefined) return ['Both ends are the same entity.']
    return [
      `No connection between ${quoted(from.entity)} and ${quoted(to.entity)} was found within the given depth. Ask for each by its name to see what is known about it.`,
    ]
  }
  if (mode === 'walk' && unmatched.length === 0)
    return ['The steps lead to nothing. Try another direction, or "any".']
  if (mode !== 'search' || nearest.length > 0) return [TRY_OTHER_WORDS]
  return [unmatched.length === 0 ? ONLY_COMMON_WORDS : OTHER_LANGUAGE, TRY_OTHER_WORDS]
}

/** For an empty list of the documents that changed. */
export const NO_CHANGES =
  'No document like that has changed. Leave out "since", "until", "in" or "where" for more.'

/** For an answer to a question with "as_of". */
export const OF_ALL_TIMES = 'An overview is of all times. "as_of" limits questions, names, paths and walks.'

/** Whether the time range excluded everything, and where results exist instead. */
function rangeHints(report: RangeReport): string[] {
  const { timed, first, last, inRange, timedFacts, factsInRange, withoutRange } = report
  if (report.isAsOf) {
    if (withoutRange === 0) return [TRY_OTHER_WORDS]
    return [
      `Nothing of it held as of that time. Without "as_of" ${counted(withoutRange, 'result')} would be found.`,
    ]
  }
  const times =
    timed === 0
      ? 'no passage of this Safe has a time'
      : `${counted(timed, 'passage')} of this Safe ${timed === 1 ? 'has' : 'have'} a time, from ${timeText(first)} to ${timeText(last)}`
  const all =
    timedFacts > 0
      ? `${times}; ${counted(timedFacts, 'fact')} ${timedFacts === 1 ? 'has' : 'have'} dates`
      : times
  const there = [
    inRange > 0 ? counted(inRange, 'passage') : '',
    factsInRange > 0 ? counted(factsInRange, 'fact') : '',
  ].filter(Boolean)
  const left =
    there.length === 0
      ? `No passage${timedFacts > 0 ? ' and no fact' : ''} is between "since" and "until": ${all}.`
      : `Of the ${there.join(' and ')} between "since" and "until", none matches; ${all}.`
  if (withoutRange > 0)
    return [left, `Without "since" and "until" ${counted(withoutRange, 'result')} would be found.`]
  return there.length === 0
    ? [left]
    : [left, `Ask with "since" and "until" alone to list these ${inRange > 0 ? 'passages' : 'facts'}.`]
}
