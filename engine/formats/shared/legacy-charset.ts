/** Bytes that are looked at. */
const SAMPLE = 65_536
/** Of 100: what the library must be sure of. Texts in European languages have 11 at most. */
const SURE = 50
/** Letters of scripts without Latin ones stand beside each other; in Latin text few that are not ASCII do. */
const LONG_RUN = 2.5

const WITH_TWO_BYTES = new Set(['GB18030', 'Big5', 'Shift_JIS', 'EUC-JP', 'EUC-KR'])

/** The commonest letters of what people write in these character sets, most of a text. */
const COMMON: readonly [charset: string, letters: string][] = [
  ['windows-1251', 'оеаинтсрвлкмдпуяыьґєії'],
  ['koi8-r', 'оеаинтсрвлкмдпуяыь'],
  ['windows-1253', 'αοιετσνηυρπκμςλωάέήίόύώ'],
  ['windows-1255', 'יוהלאמרתבשנדכפחעםןץךף'],
  ['windows-1256', 'اليمونترةبعسدفهك'],
]

/** Letters by which Latin text in other character sets shows: where Windows-1252 has signs, or letters of no one language. */
const LATIN: readonly [charset: string, isIt: (text: string) => boolean][] = [
  // Old Macs: capitals inside of words.
  ['macintosh', text => /[A-Za-z][\x8a\x8e\x9f][a-z]/.test(text)],
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

/** The character set of a text that is no UTF-8 and does not name one, as a label of the Encoding Standard. */
export async function legacyCharset(bytes: Uint8Array): Promise<string> {
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SAMPLE))
  const text = sample.toString('latin1')
  const { analyse } = await import('chardet')
  const [best] = analyse(sample)
  if (best && best.confidence >= SURE && WITH_TWO_BYTES.has(best.name)) return best.name.toLowerCase()
  const runs = text.match(/[\x80-\xff]+/g) ?? []
  const letters = runs.reduce((sum, run) => sum + run.length, 0)
  if (letters >= LONG_RUN * runs.length) return byCommonLetters(sample)
  return LATIN.find(([, isIt]) => isIt(text))?.[0] ?? 'windows-1252'
}

function byCommonLetters(sample: Uint8Array): string {
  const shares = COMMON.map(([charset, letters]) => {
    const others = [...new TextDecoder(charset).decode(sample)].filter(letter => letter > '\x7f')
    return { charset, share: others.filter(letter => letters.includes(letter)).length / others.length }
  })
  const best = shares.reduce((a, b) => (b.share > a.share ? b : a))
  return best.share > 0.5 ? best.charset : 'windows-1252'
}
