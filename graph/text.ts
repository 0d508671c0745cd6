/** A word of a text and where it stands in it (UTF-16 offsets). */
export interface Word {
  text: string
  start: number
  end: number
}

// Accents of Latin, Greek and Cyrillic, Hebrew points, Arabic vowel signs. Not all of \p{M}: the vowel signs of Indic
// and South-East Asian scripts are letters to their readers, and without them different names would be the same.
const accents =
  /(?:[\u0300-\u036f]|[\u0591-\u05bd\u05bf\u05c1\u05c2]|[\u064b-\u065f\u0670]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff])/g
// Soft hyphen, zero-width space, byte order mark, direction marks: two names that look the same are the same.
const invisible = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g
const loneSurrogates = /\p{Surrogate}/gu
const plain = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/

/** What identifies an entity (GRAPH §1): its name without case, accents, and differences of white space and form. */
export function normalizeName(name: string): string {
  if (plain.test(name)) return name.toLowerCase()
  const folded = fold(name).replace(/\s+/g, ' ').trim()
  return folded === '' ? name.trim() : folded
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(accents, '')
    .replace(invisible, '')
    .normalize('NFC')
    .replace(loneSurrogates, '\ufffd')
}

// Scripts written without spaces: each character (with its signs) counts as a word, so that names of up to ten
// characters link and longer texts still match.
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const letter = `(?:(?![${unspaced}])[\\p{L}\\p{N}])`
const wordPattern = new RegExp(
  `[${unspaced}]\\p{M}*|${letter}(?:${letter}|\\p{M}|['\u2019](?=\\p{L}))*|\\p{Extended_Pictographic}`,
  'gu',
)

/** The words of a text as they stand, in order. */
export function wordsAt(text: string): Word[] {
  const words: Word[] = []
  for (const match of text.matchAll(ascii.test(text) ? asciiWords : wordPattern)) {
    words.push({ text: match[0], start: match.index, end: match.index + match[0].length })
  }
  return words
}

/** A word as dictionaries know it: folded, and without the possessive ("Ada’s" → "ada"). */
export function foldWord(word: string): string {
  const folded = plain.test(word) ? word.toLowerCase() : fold(word)
  return folded.replace(/['\u2019]s?$/, '').replace(/['\u2019]/g, '') || folded
}

const asciiWord = /[a-z0-9]+(?:'[a-z]+)*/g
const asciiWords = /[A-Za-z0-9]+(?:'[A-Za-z]+)*/g
const ascii = /^\p{ASCII}*$/u

/** The folded words of a text, in order. */
export function words(text: string): string[] {
  if (ascii.test(text)) {
    const found = text.toLowerCase().match(asciiWord) ?? []
    for (let i = 0; i < found.length; i++) {
      const word = found[i] ?? ''
      if (word.includes("'")) found[i] = foldWord(word)
    }
    return found
  }
  return wordsAt(text).map(word => foldWord(word.text))
}

/** The stems of what a text is about: words without the stop list. */
export function terms(text: string): string[] {
  return words(text)
    .filter(word => !stopWords.has(word))
    .map(stem)
}

/** A predicate as words, however it was written: `worksFor`, `works_for` and `works-for` are "works for". */
export function spacedPredicate(predicate: string): string {
  return predicate.replace(/[_-]+/g, ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
}

export function isStopWord(word: string): boolean {
  return stopWords.has(word)
}

const stopWords = new Set(
  (
    'a about all also an and any are as at be been but by can could did do does for from had has have he her his how i if in ' +
    'into is it its may me more my no not of on one or our shall she should so some such than that the their them then ' +
    'there these they this those to up us was we were what when where which who whom whose why will with would you your'
  ).split(' '),
)

const irregular = new Map(
  Object.entries({
    write: 'wrote written author',
    make: 'made',
    buy: 'bought',
    build: 'built',
    lead: 'led',
    run: 'ran running',
    hold: 'held',
    give: 'gave given',
    take: 'took taken',
    keep: 'kept',
    use: 'uses used using',
    choose: 'chose chosen',
    draw: 'drew drawn',
    drive: 'drove driven',
    grow: 'grew grown',
    leave: 'left',
    lend: 'lent',
    lose: 'lost',
    meet: 'met',
    pay: 'paid',
    sell: 'sold',
    send: 'sent',
    speak: 'spoke spoken',
    spend: 'spent',
    teach: 'taught',
    win: 'won',
    bear: 'born',
    begin: 'began begun',
    know: 'knew known',
    sing: 'sang sung',
    child: 'children',
    person: 'people',
    wife: 'wives',
    man: 'men',
    woman: 'women',
  }).flatMap(([base, forms]) => forms.split(' ').map((form): [string, string] => [form, base])),
)

const suffixes = [
  'ations',
  'ation',
  'ments',
  'ment',
  'ings',
  'ing',
  'ors',
  'ers',
  'or',
  'er',
  'ions',
  'ion',
  'ies',
  'ied',
  'ed',
  'es',
  's',
  'e',
  'y',
]

/** A light stem: what "manages", "managed", "managing", "manager" and "management" have in common. */
export function stem(word: string): string {
  const base = irregular.get(word) ?? word
  if (base.length < 4 || !ascii.test(base)) return base
  for (const suffix of suffixes) {
    if (!base.endsWith(suffix)) continue
    if (suffix === 's' && base.endsWith('ss')) break
    const rest = base.slice(0, -suffix.length)
    if (rest.length < 3 || !/[aeiouy]/.test(rest)) continue
    return suffix === 'y' || suffix.startsWith('ie') ? `${rest}i` : undoubled(rest)
  }
  return base
}

/** "plann" → "plan" */
function undoubled(rest: string): string {
  const last = rest.at(-1) ?? ''
  const doubled = rest.length > 3 && rest.at(-2) === last && !'aeiousl'.includes(last)
  return doubled ? rest.slice(0, -1) : rest.replace(/[ei]$/, '')
}

/** The singular of a word as English usually forms it; the word itself when it is none. */
export function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 4 && /(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}
