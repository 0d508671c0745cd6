import type { Expected } from './expected.js'

/** Words, numbers and marks of a text; a stop or a mark is a token of its own. */
const TOKEN = /\p{L}+|\d+|[^\s\p{L}\d]/gu
const DIGIT = /^\d/
const CAPITAL = /^\p{Lu}/u
const NAME = /^\p{Lu}\p{Ll}/u
/** Tokens between a number and its unit: "40 good long minutes". */
const MAX_BETWEEN = 2
/** Marks before a name. */
const MARKS = new Set('"“„«`*[')

/** Whole words in lower case; one with `*` at its end is only how words begin. */
class Words {
  readonly #whole: Set<string>
  readonly #beginnings: string[]

  constructor(words: string) {
    const all = words.split(' ')
    this.#whole = new Set(all.filter(word => !word.endsWith('*')))
    this.#beginnings = all.filter(word => word.endsWith('*')).map(word => word.slice(0, -1))
  }

  has(word = ''): boolean {
    return this.#whole.has(word) || this.#beginnings.some(beginning => word.startsWith(beginning))
  }
}

const NUMBERS = new Words(
  'half two three four five six seven eight nine ten twelve dozen zwei drei vier fünf sechs sieben acht neun zehn dos tres cuatro cinco deux trois quatre cinq due tre quattro cinque dois três twee drie vijf два две три четыре пять',
)
const ONE = new Words('a an one ein eine einer einen un una une uma um een час')
const UNITS = new Words(
  'ms s sec secs second seconds min mins minute minutes h hr hrs hour hours day days night nights week weeks month months year years sekunde sekunden minuten std stunde stunden tag tage tagen woche wochen monat monate monaten jahr jahre jahren segundo segundos minuto minutos hora horas día días dia dias semana semanas meses mes año años ano anos seconde secondes heure heures jour jours semaine semaines mois ans année années ore giorno giorni settimana settimane mese mesi anno anni seconden minuut uur uren dag dagen weken maand maanden jaar minuter timmar dagar veckor timer дн* час* минут* недел* месяц* лет год* dakika saat gün hafta yıl',
)
const PERIODS = new Words('overnight daily weekly hourly täglich wöchentlich')
const MONTHS = new Words(
  'jan* feb* mar* mär* apr* may* mai* jun* jul* aug* sep* oct* okt* nov* dec* dez* ene* abr* ago* dic* fév* avr* aoû* déc* gen* mag* giu* lug* set* ott* fev* out* maj* янв* фев* мар* апр* май* мая* июн* июл* авг* сен* окт* ноя* дек*',
)
const TIMES = new Words(
  'monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday sundays montag montags dienstag dienstags donnerstag donnerstags freitag freitags samstag samstags sonntag sonntags mittwoch lunes martes miércoles jueves viernes sábado domingo lundi mardi mercredi jeudi vendredi samedi dimanche lunedì martedì mercoledì giovedì venerdì morning noon midnight spring summer autumn winter frühling sommer herbst',
)
const PREPOSITIONS = new Words(
  'in at from to near under on behind im aus bei nach unter en de à au chez dans a da em no na op bij uit в на из',
)
const ARTICLES = new Words('the der dem den la le el il o')
const BY = new Words('by von par por di door')
const PARTICLES = new Words('von van de der di')
const ANSWERS = new Words(
  'yes no not never can cannot don doesn isn shouldn won only must should may optional possible required ja nein nicht kein* nie kann können muss müssen sollte* darf dürfen sí nunca puede debe oui non pas jamais peut faut mai può deve não pode nee niet geen moet kan нет не нельзя можно',
)
const AND = new Words('and or und oder sowie y o et ou e en и или ve')

const REASON =
  /(?<!\p{L})(?:because|since|so that|due to|in order to|as (?:it|this|they|we|the)|to (?:avoid|prevent|protect|ensure|allow|make|keep|help)|lets?|allows?|otherwise|reason|therefore|ensur(?:es?|ing)|prevent(?:s|ing)?|avoid(?:s|ing)?|means?|lacks?|helps?|rather than|instead of|so|weil|da|damit|denn|um|sonst|deshalb|deswegen|dadurch|nämlich|sodass|porque|para|ya que|parce que|car|pour|afin|perch[éè]|affinché|pois|omdat|zodat|want|därför|fordi|потому|чтобы|так как|çünkü|için)(?!\p{L})/iu
const DEGREES = /\d\s?(?:º|°|℃|℉|deg|[CF]\b|grad|градус)/iu
const CLOCK = /\d[:h]\d\d|\d\s?(?:am|pm|uhr)\b|\d[./]\d/i
const PATH = /[\w-]\/[\w-]/

/** Whether tokens, as written and in lower case, have at this place what is asked for. */
type Holds = (lower: readonly string[], at: number, written: readonly string[]) => boolean

const isNumber = (token = '') => DIGIT.test(token) || NUMBERS.has(token)
const isStop = (token = '.') => '.:;'.includes(token)

/** Whether a name is at this place, behind its marks and, where it may have one, its article. */
function isNameAt(written: readonly string[], at: number, articles?: Words): boolean {
  let next = articles?.has(written[at]) ? at + 1 : at
  while (MARKS.has(written[next] ?? '')) next++
  return CAPITAL.test(written[next] ?? '')
}

/** "40 minutes", "half an hour", "a full day". */
function isDuration(lower: readonly string[], at: number): boolean {
  if (PERIODS.has(lower[at])) return true
  if (!UNITS.has(lower[at])) return false
  if (ONE.has(lower[at - 1]) || ONE.has(lower[at - 2])) return true
  for (let before = at - 1; before >= at - 1 - MAX_BETWEEN && !isStop(lower[before]); before--)
    if (isNumber(lower[before])) return true
  return false
}

function isDate(lower: readonly string[], at: number): boolean {
  const token = lower[at] ?? ''
  if (DIGIT.test(token)) return /^(?:1\d|20)\d\d$/.test(token)
  if (TIMES.has(token)) return true
  if (!MONTHS.has(token)) return false
  const beside = (step: number) => DIGIT.test(lower[at + (lower[at + step] === '.' ? 2 * step : step)] ?? '')
  return beside(1) || beside(-1)
}

/** "by Ada", "@ada", or a first and a last name that do not begin a sentence. */
function isPerson(lower: readonly string[], at: number, written: readonly string[]): boolean {
  if (written[at] === '@') return at + 1 < lower.length
  if (BY.has(written[at])) return isNameAt(written, at + 1)
  const next = PARTICLES.has(written[at + 1]) ? at + 2 : at + 1
  const isName = (token = '') => NAME.test(token)
  return isName(written[at]) && isName(written[next]) && at > 0 && !'.!?'.includes(written[at - 1] ?? '')
}

const HOLDS: Readonly<Record<Exclude<Expected, 'degrees' | 'reason' | 'list'>, Holds>> = {
  quantity: (lower, at) => isNumber(lower[at]),
  duration: isDuration,
  date: isDate,
  place: (_, at, written) => PREPOSITIONS.has(written[at]) && isNameAt(written, at + 1, ARTICLES),
  person: isPerson,
  choice: (lower, at) => ANSWERS.has(lower[at]),
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
      return isItem(last) || words?.slice(1).some(word => AND.has(word))
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
