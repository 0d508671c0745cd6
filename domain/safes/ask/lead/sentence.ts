import { type Expected, holdsExpected } from '../../../../engine/graph/index.js'
import { beginningOf } from '../excerpt.js'
import type { Asked } from './asked.js'
import { MAX_UNIT, type Unit, unitsOf } from './units.js'

/** Maximum characters of a lead; a longer sentence is cut. */
const MAX_LENGTH = MAX_UNIT
/** Minimum characters of a sentence that can answer without the kind of thing asked for. */
const MIN_LENGTH = 20
/** Maximum characters of a list item that needs the other items to make sense. */
const SHORT_ITEM = 80

/** The weight of words found only in the title, in its last heading, or only in neighbouring sentences that are shown as well. */
const TITLE = 0.6
const HEADING = 0.75
const AROUND = 0.3
/** The bonus for the kind of thing asked for, such as a number, for words in the order of the question, and for being first in a passage. */
const EXPECTED = 0.25
const PAIRS = 0.2
const FIRST = 0.05
/** The penalty of an item that begins with a link: it lists other people's texts. */
const LINK = 0.3
/** The penalty of a question. */
const ASKS = 0.3
const QUESTION = /[?？]\s*$/

/** A sentence that begins with one of these needs the sentence before it. */
const PRONOUN =
  /^(?:it|its|this|that|these|those|they|he|she|such|es|er|sie|dies\p{L}*|das|esto|eso|ello|ils?|elles?|cela|ça|esso|questo|isto|isso|het|dit|dat|он|она|оно|они|это)(?!\p{L})/iu

/** A sentence of a passage. */
export interface Sentence {
  text: string
  /** 0 … about 1.3: the share of the question's words, and whether it has the kind of thing asked for. */
  score: number
  /** The place in the passage near which it begins; 0 for cells. */
  at: number
  /** Its words, without those of neighbouring sentences; 0 for cells. */
  words: number
  /** Whether it has the kind of thing asked for. */
  isExpected: boolean
}

/** The sentence of a Markdown passage that answers best, with those around it that belong to it. Null if none has words of the question. */
export function bestSentence(
  passage: { title: string; text: string },
  asked: Asked,
  expected: Expected | null,
): Sentence | null {
  const { title } = passage
  const units = unitsOf(passage.text)
  const masks = units.map(({ text, words }) => asked.in(text, words))
  const ofTitle = asked.in(title)
  const ofHeading = asked.in(title.slice(title.lastIndexOf(' > ') + 1))
  const bonus = expected === null ? 0 : EXPECTED
  let [best, most, hasExpected] = [-1, 0, false]
  for (const [at, { text, kind, spaced }] of units.entries()) {
    const own = masks[at] ?? 0
    if ((own | ofTitle) === 0 || (kind === 'code' && !isIntroduced(units, at))) continue
    const worth = asked.worth(own)
    const said =
      worth + TITLE * asked.worth(ofTitle & ~own) + (HEADING - TITLE) * asked.worth(ofHeading & ~own)
    const form = (at === 0 ? FIRST : 0) - (kind === 'link' ? LINK : 0) - (QUESTION.test(text) ? ASKS : 0)
    // Only candidates for the best are examined further.
    const open = bonus + AROUND * (1 - worth)
    if (best >= 0 && said + form + PAIRS + open <= most) continue
    const paired = said + form + PAIRS * asked.pairsIn(spaced)
    if (best >= 0 && paired + open <= most) continue
    const [from, to] = extentOf(units, at, expected)
    const around = masks.slice(from, to).reduce((all, mask) => all | mask, 0) & ~own
    const score = paired + AROUND * asked.worth(around)
    if (best >= 0 && score + bonus <= most) continue
    const isExpected =
      expected !== null && (holdsExpected(text, expected) || (expected === 'list' && isInList(units, at)))
    const total = score + (isExpected ? EXPECTED : 0)
    if ((text.length >= MIN_LENGTH || isExpected) && (best < 0 || total > most))
      [best, most, hasExpected] = [at, total, isExpected]
  }
  if (best < 0) return null
  const lead = textOf(units.slice(...extentOf(units, best, expected)), title.split(' > ')[0] ?? '')
  const { at = 0, words } = units[best] ?? {}
  const text = beginningOf(lead, MAX_LENGTH)
  return { text, score: most, at, words: words?.length ?? 0, isExpected: hasExpected }
}

/** Whether a unit is code with a text before it, which is shown as well. */
const isIntroduced = (units: readonly Unit[], at: number) =>
  units[at]?.kind === 'code' && at > 0 && units[at - 1]?.kind !== 'code'

/** Whether a unit and the one before it are items of one list. */
const isInList = (units: readonly Unit[], at: number) =>
  isItem(units[at]) && (isItem(units[at - 1]) || isItem(units[at + 1]))
const isItem = (unit: Unit | undefined) => unit?.kind === 'item' || unit?.kind === 'link'

/**
 * The units to show with one: the one that it refers to and, as far as they fit, the text after a colon, its code, and more
 * of its paragraph, first after it. If a list is asked for, a short item comes with the others from the first.
 */
function extentOf(
  units: readonly Unit[],
  best: number,
  expected: Expected | null,
): [from: number, to: number] {
  let from = best
  const isListed =
    expected === 'list' && isInList(units, best) && (units[best]?.text.length ?? 0) <= SHORT_ITEM
  while (isListed && isItem(units[from - 1])) from--
  if ((isListed && units[from - 1]?.text.endsWith(':')) || isIntroduced(units, best)) from--
  const isList = isListed || units[from]?.text.endsWith(':')
  let [to, left] = [from + 1, MAX_LENGTH - (units[from]?.text.length ?? 0)]
  const fits = (at: number, isOne: (one: Unit, next: Unit) => unknown) => {
    const [one, next] = [units[at - 1], units[at]]
    if (!one || !next || !isOne(one, next)) return false
    left -= (at === to ? next : one).text.length + 2
    return left >= 0
  }
  if (fits(from, (_, { text }) => PRONOUN.test(text))) from--
  const belongs = (one: Unit, next: Unit) =>
    one.block === next.block ||
    one.text.endsWith(':') ||
    (next.kind === 'code' && one.kind !== 'code' && next.block === one.block + 1) ||
    (isList && isItem(one) && isItem(next))
  while (fits(to, belongs)) to++
  while (fits(from, (one, next) => one.kind === 'prose' && one.block === next.block)) from--
  return [from, to]
}

/** Units as one text; items of a list are separated by commas. */
function textOf(units: readonly Unit[], name: string): string {
  const [first] = units
  const joined = units.reduce((text, unit, at) => {
    if (at === 0) return unit.text
    return `${text}${isItem(unit) && isItem(units[at - 1]) ? ',' : ''} ${unit.text}`
  }, '')
  return first?.kind === 'property' ? `${name} — ${joined}` : joined
}
