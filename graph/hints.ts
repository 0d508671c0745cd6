import { quoted } from './one-line.js'
import type { Ranking } from './ranking.js'
import { counted, type Summary, sizeText } from './summary.js'
import { type RangeReport, timeText } from './time-range.js'

/** What hints are made of; names as people wrote them, not keys. */
export interface Outcome
  extends Pick<
    Ranking,
    'mode' | 'counts' | 'total' | 'unmatched' | 'nearest' | 'alsoMeant' | 'unknownRelation' | 'range'
  > {
  safeName: string
  summary: Summary | undefined
  /** Names of the entities that were recognised. */
  linked: string[]
}

/**
 * Sentences an assistant can act on. When nothing was found they tell "nothing there" from "looked in the wrong place":
 * which Safe was searched, how large it is, which words occur nowhere and which names come near (GRAPH §5).
 */
export function hintsOf(outcome: Outcome): string[] {
  const { safeName, counts, total, unmatched, nearest, alsoMeant } = outcome
  const hints: string[] = []
  if (total === 0 && outcome.mode !== 'overview') {
    const size = sizeText({ ...counts, facts: counts.relations })
    hints.push(`Searched the Safe ${quoted(safeName)} (${size}).`)
  }
  if (total === 0 && counts.entities === 0) hints.push('It is empty: its owner can fill it from a file.')
  if (unmatched.length > 0) hints.push(`Nothing in this Safe matches: ${unmatched.join(', ')}.`)
  if (nearest.length > 0) hints.push(`Names that come near: ${nearest.join(', ')}.`)
  if (alsoMeant.length > 0) hints.push(`The name can also mean: ${alsoMeant.join(', ')}.`)
  if (total === 0 && counts.entities > 0 && !tells(outcome.summary)) hints.push(...nextTry(outcome))
  return hints
}

const tells = (summary: Summary | undefined) => summary?.kind === 'entity' || summary?.kind === 'overview'

/** What to do about an empty answer. */
function nextTry({ mode, linked, unmatched, unknownRelation, range }: Outcome): string[] {
  if (range) return rangeHints(range)
  if (unknownRelation) {
    const { relation, known } = unknownRelation
    const others =
      known.length > 0 ? ` From there lead: ${known.join(', ')}.` : ' Nothing leads on from there.'
    return [`No relation here is called ${quoted(relation)}.${others}`]
  }
  if (mode === 'path' && unmatched.length === 0) {
    const [from, to] = linked
    if (from === undefined) return ['Name the two ends with "from" and "to".']
    if (to === undefined) return ['Both ends are the same entity.']
    return [`No connection of ${quoted(from)} and ${quoted(to)} was found within the given depth.`]
  }
  if (mode === 'walk' && unmatched.length === 0)
    return ['The steps lead nowhere; try another direction, or "any".']
  return ['Ask with names or words that occur in the Safe.']
}

/** Whether it was the range of time that left nothing, and where to look instead. */
function rangeHints({ timed, first, last, inRange, withoutRange }: RangeReport): string[] {
  const times =
    timed === 0
      ? 'no passage of this Safe carries a time'
      : `${counted(timed, 'passage')} of this Safe ${timed === 1 ? 'carries' : 'carry'} a time, from ${timeText(first)} to ${timeText(last)}`
  const left =
    inRange === 0
      ? `"since" and "until" leave nothing: ${times}.`
      : `Of the ${counted(inRange, 'passage')} that "since" and "until" leave, none matches; ${times}.`
  if (withoutRange > 0)
    return [left, `Without "since" and "until" ${counted(withoutRange, 'result')} would be found.`]
  return inRange === 0 ? [left] : [left, 'Ask with "since" and "until" alone to list what they leave.']
}
