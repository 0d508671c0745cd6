/** Letters that repeat only after a long time, the same in every run. */
const mixed = (letters: string, length: number) =>
  Array.from({ length }, (_, i) => letters[(i * i * 7 + i * 3 + (i >> 2)) % letters.length]).join('')

/** Texts that are easy for tokenizers, and some that are hard. */
export const texts = {
  English: 'The keeper of the North Lighthouse repaired the lantern in 1987. ',
  names:
    'Abdul Aziz bin Abdul Majid (10 March 1908 - 10 May 1975) taught Wanda Kowalczyk and Ilse Brandt in Kuala Lumpur. ',
  German: 'Die Donaudampfschifffahrtsgesellschaft etikettiert Rindfleisch. ',
  Russian:
    '\u0421\u043c\u043e\u0442\u0440\u0438\u0442\u0435\u043b\u044c \u043c\u0430\u044f\u043a\u0430 \u0447\u0438\u043d\u0438\u043b \u0444\u043e\u043d\u0430\u0440\u044c. ',
  runes: '\u16a0\u16a2\u16a6\u16a8 \u16b7\u16b9\u16ba\u16be ',
  'long lower case': mixed('abcdefghijklmnopqrstuvwxyz', 300),
  'long upper case': mixed('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 300),
  DNA: mixed('acgt', 300),
  hex: mixed('0123456789abcdef', 300),
  Cyrillic: mixed('\u0430\u0431\u0432\u0433\u0434\u0436\u0437\u0439\u0449\u044a\u044d\u044e\u044f', 300),
}

export type TextName = keyof typeof texts

/** How many tokens two encodings make of each text, nine times in a row. `test/deep/tokens` counts them again. */
export const TOKENS: Record<TextName, { o200k: number; cl100k: number }> = {
  English: { o200k: 127, cl100k: 136 },
  names: { o200k: 308, cl100k: 345 },
  German: { o200k: 163, cl100k: 208 },
  Russian: { o200k: 100, cl100k: 127 },
  runes: { o200k: 234, cl100k: 217 },
  'long lower case': { o200k: 1395, cl100k: 1431 },
  'long upper case': { o200k: 1512, cl100k: 1620 },
  DNA: { o200k: 1179, cl100k: 1179 },
  hex: { o200k: 1530, cl100k: 1485 },
  Cyrillic: { o200k: 2224, cl100k: 2646 },
}
