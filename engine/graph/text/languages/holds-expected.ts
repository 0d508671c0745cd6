import { type Expected, WORDS } from './words.js'

/** Words, numbers and marks of a text; a stop or a mark is a token of its own. */
const TOKEN = /\p{L}+|\d+|[^\s\p{L}\d]/gu
const DIGIT = /^\d/
const CAPITAL = /^\p{Lu}/u
const NAME = /^\p{Lu}\p{Ll}/u
/** Tokens between a number and its unit: "40 good long minutes". */
const MAX_BETWEEN = 2
/** Marks before a name. */
const MARKS = new Set('"“„«`*[')

type IsWord = (word?: string) => boolean

/** Tests whether a word is one of `words`, whole and in lower case; one with `*` at its end is only how words begin. */
function testOf(words: string): IsWord {
  const all = words.split(' ')
  const whole = new Set(all)
  const beginnings = all.filter(word => word.endsWith('*')).map(word => word.slice(0, -1))
  return (word = '') => whole.has(word) || beginnings.some(beginning => word.startsWith(beginning))
}

/** Tests for the words of each kind. */
const isIn = Object.fromEntries(
  Object.entries(WORDS.answers).map(([kind, words]) => [kind, testOf(words)]),
) as Record<keyof typeof WORDS.answers, IsWord>

const REASON =
  /(?<!\p{L})(?:because|since|so that|due to|in order to|as (?:it|this|they|we|the)|to (?:avoid|prevent|protect|ensure|allow|make|keep|help)|lets?|allows?|otherwise|reason|therefore|ensur(?:es?|ing)|prevent(?:s|ing)?|avoid(?:s|ing)?|means?|lacks?|helps?|rather than|instead of|so|weil|da|damit|denn|um|sonst|deshalb|deswegen|dadurch|nämlich|sodass|porque|para|ya que|parce que|car|pour|afin|perch[éè]|affinché|pois|omdat|zodat|want|därför|fordi|потому|чтобы|так как|çünkü|için)(?!\p{L})/iu
const DEGREES = /\d\s?(?:º|°|℃|℉|deg|[CF]\b|grad|градус)/iu
const CLOCK = /\d[:h]\d\d|\d\s?(?:am|pm|uhr)\b|\d[./]\d/i
const PATH = /[\w-]\/[\w-]/

/** Whether tokens, as written and in lower case, have at this place what is asked for. */
type Holds = (lower: readonly string[], at: number, written: readonly string[]) => boolean

const isNumber = (token = '') => DIGIT.test(token) || isIn.numbers(token)
const isStop = (token = '.') => '.:;'.includes(token)

/** Whether a name is at this place, behind its marks and, where it may have one, its article. */
function isNameAt(written: readonly string[], at: number, isArticle?: IsWord): boolean {
  let next = isArticle?.(written[at]) ? at + 1 : at
  while (MARKS.has(written[next] ?? '')) next++
  return CAPITAL.test(written[next] ?? '')
}

/** "40 minutes", "half an hour", "a full day". */
function isDuration(lower: readonly string[], at: number): boolean {
  if (isIn.periods(lower[at])) return true
  if (!isIn.units(lower[at])) return false
  if (isIn.one(lower[at - 1]) || isIn.one(lower[at - 2])) return true
  for (let before = at - 1; before >= at - 1 - MAX_BETWEEN && !isStop(lower[before]); before--)
    if (isNumber(lower[before])) return true
  return false
}

function isDate(lower: readonly string[], at: number): boolean {
  const token = lower[at] ?? ''
  if (DIGIT.test(token)) return /^(?:1\d|20)\d\d$/.test(token)
  if (isIn.times(token)) return true
  if (!isIn.months(token)) return false
  const beside = (step: number) => DIGIT.test(lower[at + (lower[at + step] === '.' ? 2 * step : step)] ?? '')
  return beside(1) || beside(-1)
}

/** "by Ada", "@ada", or a first and a last name that do not begin a sentence. */
function isPerson(lower: readonly string[], at: number, written: readonly string[]): boolean {
  if (written[at] === '@') return at + 1 < lower.length
  if (isIn.by(written[at])) return isNameAt(written, at + 1)
  const next = isIn.particles(written[at + 1]) ? at + 2 : at + 1
  const isName = (token = '') => NAME.test(token)
  return isName(written[at]) && isName(written[next]) && at > 0 && !'.!?'.includes(written[at - 1] ?? '')
}

const HOLDS: Readonly<Record<Exclude<Expected, 'degrees' | 'reason' | 'list'>, Holds>> = {
  quantity: (lower, at) => isNumber(lower[at]),
  duration: isDuration,
  date: isDate,
  place: (_, at, written) => isIn.prepositions(written[at]) && isNameAt(written, at + 1, isIn.articles),
  person: isPerson,
  choice: (lower, at) => isIn.answers(lower[at]),
}

/** "a, b, c", "a, b and c", or what announces a list. */
function isList(text: string): boolean {
  if (text.endsWith(':')) return true
  const isItem = (item: string | undefined) => item !== undefined && item.length > 1
  return text.split(';').some(part =>
    part.split(',').some((item, at, items) => {
      const [next, last] = [items[at + 1], items[at + 2]]
      if (!next || !isItem(item) || !isItem(next)) return false
      const words = next.toLowerCase().match(/\p{L}+/gu)
      return isItem(last) || words?.slice(1).some(word => isIn.and(word))
    }),
  )
}

/** Whether a text has something of what is asked for: a number, a date, a reason. */
export function holdsExpected(text: string, expected: Expected): boolean {
  if (expected === 'list') return isList(text)
  if (expected === 'degrees') return DEGREES.test(text)
  if (expected === 'reason') return REASON.test(text)
  if (expected === 'date' && CLOCK.test(text)) return true
  if (expected === 'place' && PATH.test(text)) return true
  const written = text.match(TOKEN) ?? []
  const lower = written.map(token => token.toLowerCase())
  return written.some((_, at) => HOLDS[expected](lower, at, written))
}
