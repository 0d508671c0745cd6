import t from 'tap'
import { estimateTokens, tokenCost } from '../../../domain/safes/ask/tokens.js'
import { type TextName, TOKENS, texts } from './counted-texts.js'

const names = Object.keys(texts) as TextName[]

t.test('X10 what tokenizers make of a text is never more than estimated', async t => {
  for (const name of names) {
    const estimate = estimateTokens(texts[name].repeat(9))
    const most = Math.max(TOKENS[name].o200k, TOKENS[name].cl100k)
    t.ok(estimate >= most, `${name}: ${most} estimated at ${estimate}`)
  }
})

t.test('prose is not estimated at much more than its tokens', async t => {
  for (const [name, most] of [
    ['English', 1.25],
    ['names', 1.25],
    ['German', 2],
    ['Russian', 3],
  ] as const) {
    const share = estimateTokens(texts[name].repeat(9)) / TOKENS[name].cl100k
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
