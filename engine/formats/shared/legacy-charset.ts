/** Bytes used for detection. */
const SAMPLE = 65_536
/** Minimum confidence (of 100) of the library. Texts in European languages reach at most 11. */
const SURE = 50

const WITH_TWO_BYTES = new Set(['GB18030', 'Big5', 'Shift_JIS', 'EUC-JP', 'EUC-KR'])

/** The most common letters of non-Latin scripts, by character set. Most of a text consists of them. */
const COMMON: readonly [charset: string, letters: string][] = [
  ['windows-1251', 'оеаинтсрвлкмдпуяыьґєії'],
  ['koi8-r', 'оеаинтсрвлкмдпуяыь'],
  ['windows-1253', 'αοιετσνηυρπκμςλωάέήίόύώ'],
  ['windows-1255', 'יוהלאמרתבשנדכפחעםןץךף'],
  ['windows-1256', 'اليمونترةبعسدفهك'],
]
/** Minimum share of common letters, and the share that rules out Chinese. */
const [MIN_SHARE, CERTAIN] = [0.5, 0.7]
/** Weight of a capital letter: small letters of KOI8-R are capitals in other character sets. */
const CAPITAL = 0.9

/**
 * First bytes of common characters in two-byte character sets. The library knows only a few hundred characters and is
 * unsure about names, which contain none of these. Order decides between sets that share first bytes.
 */
const TWO_BYTES: readonly [charset: string, first: RegExp, share: number][] = [
  ['shift_jis', /^[\x81-\x84\x88-\x97]/, 0.9],
  // Kana
  ['euc-jp', /^[\xa4\xa5]/, 0.2],
  // Hangul
  ['euc-kr', /^[\xb0-\xc8][\xa1-\xfe]/, 0.95],
  ['gb18030', /^[\xa1-\xd7][\xa1-\xfe]/, 0.9],
  ['big5', /^[\xa1-\xc6]/, 0.9],
]
const PAIR = /[\x81-\x9f\xe0-\xfc][\x40-\xfc]|[\xa1-\xfe][\xa1-\xfe]|[\xa1-\xdf]/g
const MIN_PAIRS = 2

/**
 * Bytes that reveal another Latin character set: in Windows-1252 they would be symbols inside words, or letters that no
 * language puts together.
 */
const LATIN: readonly [charset: string, isIt: (text: string) => boolean][] = [
  // Old Macs: capitals inside words.
  ['macintosh', text => /[A-Za-z][\x8a\x8e\x9f][a-z]/.test(text)],
  // DOS: letters that are quotation marks or unused in Windows-1252.
  ['cp850', text => /[A-Za-z][\x81\x84\x94][a-z]|[a-z]\x82[a-z\s]/.test(text)],
  // Polish
  ['windows-1250', text => /\p{L}[\xb3\xb9\xbf]\p{L}|\b[\xa3\xaf]\p{Ll}/u.test(text)],
  // Czech has ě and ů, its southern neighbours č; š and ž are rare in languages with ì, ù and è.
  [
    'windows-1250',
    text =>
      share(text, /[\x8a\x8e\x9a\x9e]/g) > (/[\xec\xf9]/.test(text) ? 0.08 : 0.25) &&
      /[\xec\xf9\xe8]/.test(text),
  ],
  // Hungarian
  ['windows-1250', text => /\xf5/.test(text) && /\xfb/.test(text)],
  // Turkish; Icelandic has vowels with accents.
  ['windows-1254', text => /[\xfe\xf0\xfd]/.test(text) && !/[\xe1\xed\xfa\xe6\xf3]/.test(text)],
]

const share = (text: string, letters: RegExp) =>
  (text.match(letters) ?? []).length / (text.match(/[\x80-\xff]/g) ?? []).length

/** Detects the character set of a text that is not UTF-8, as a label of the Encoding Standard. */
export async function legacyCharset(bytes: Uint8Array): Promise<string> {
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SAMPLE))
  const text = sample.toString('latin1')
  const { analyse } = await import('chardet')
  const [best] = analyse(sample)
  if (best && best.confidence >= SURE && WITH_TWO_BYTES.has(best.name)) return best.name.toLowerCase()
  const script = hasOtherScript(text) ? byCommonLetters(sample) : null
  if (script && script.share >= CERTAIN) return script.charset
  const pairs = byPairs(sample, text)
  if (pairs !== null) return pairs
  if (script && script.share > MIN_SHARE) return script.charset
  return LATIN.find(([, isIt]) => isIt(text))?.[0] ?? 'windows-1252'
}

/** Whether the text is in a non-Latin script. Words in Latin script contain ASCII letters; single letters are ignored. */
function hasOtherScript(text: string): boolean {
  let [whole, mixed] = [0, 0]
  for (const [word] of text.matchAll(/[A-Za-z\xa3\xa8\xb3\xb8-\xff]+/g)) {
    const letters = word.replace(/[A-Za-z]+/g, '').length
    if (letters < word.length) mixed += letters
    else if (letters > 1) whole += letters
  }
  return whole > mixed
}

function byCommonLetters(sample: Uint8Array): { charset: string; share: number } {
  const shares = COMMON.map(([charset, letters]) => {
    const others = new TextDecoder(charset).decode(sample).match(/[^\s!-~«»\u2010-\u203a]/g) ?? []
    const worths: number[] = others.map(letter =>
      letters.includes(letter) ? 1 : letters.includes(letter.toLowerCase()) ? CAPITAL : 0,
    )
    return { charset, share: worths.reduce((sum, worth) => sum + worth, 0) / others.length }
  })
  return shares.reduce((a, b) => (b.share > a.share ? b : a))
}

function byPairs(sample: Buffer, text: string): string | null {
  const pairs: string[] = []
  let [end, besideLetters] = [0, 0]
  for (const { 0: pair, index } of text.matchAll(PAIR)) {
    const beside = (index > end ? text.charAt(index - 1) : '') + text.charAt(index + pair.length)
    // A quotation mark or the beginning of a Latin word.
    if (/[A-Za-z]/.test(beside)) besideLetters++
    if (pair.length > 1) pairs.push(pair)
    end = index + pair.length
  }
  if (pairs.length < MIN_PAIRS || besideLetters > pairs.length / 4) return null
  const found = TWO_BYTES.find(
    ([charset, first, least]) =>
      pairs.filter(pair => first.test(pair)).length >= least * pairs.length && isWhole(sample, charset),
  )
  return found?.[0] ?? null
}

/** Whether the sample is valid in this character set. The last character may be cut. */
function isWhole(sample: Buffer, charset: string): boolean {
  const decoder = new TextDecoder(charset, { fatal: true })
  try {
    decoder.decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}
