import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import t from 'tap'
import { estimateTokens, tokenCost } from '../../../safes/ask/tokens.js'

/** Letters that repeat only after long, the same in every run. */
const mixed = (letters: string, length: number) =>
  Array.from({ length }, (_, i) => letters[(i * i * 7 + i * 3 + (i >> 2)) % letters.length]).join('')

const texts: Record<string, string> = {
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

t.test('X10 what tokenizers make of a text is never more than estimated', async t => {
  for (const [name, text] of Object.entries(texts)) {
    for (const form of [text.repeat(9), JSON.stringify(text.repeat(9))]) {
      const most = Math.max(o200k(form).length, cl100k(form).length)
      t.ok(estimateTokens(form) >= most, `${name}: ${most} estimated at ${estimateTokens(form)}`)
    }
  }
})

t.test('prose is not estimated at much more than its tokens', async t => {
  for (const [name, most] of Object.entries({ English: 1.25, names: 1.25, German: 2, Russian: 3 })) {
    const text = (texts[name] ?? '').repeat(9)
    const share = estimateTokens(text) / cl100k(text).length
    t.ok(share < most, `${name}: ${share.toFixed(2)}`)
  }
})

t.test('a common word is one token only with a blank before it and no letter after it', async t => {
  for (const word of ['harbour', 'government', 'North', 'repaired']) {
    t.ok(tokenCost(` ${word}`) === 1, word)
    for (const other of [word, `_${word}`, ` ${word}X`, ` ${word}\u00e9`, ` ${word}qz`]) {
      t.ok(tokenCost(other) > 1, other)
    }
  }
})

t.test('the token counts of parts add up to at least that of the whole', async t => {
  const parts = Object.values(texts).map(text => JSON.stringify({ title: text.slice(0, 9), text }))
  const sum = parts.reduce((sum, part) => sum + tokenCost(part) + 1, 0)
  t.ok(tokenCost(parts.join(',')) <= sum)
})
