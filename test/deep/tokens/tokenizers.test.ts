import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import t from 'tap'
import { estimateTokens } from '../../../domain/safes/ask/tokens.js'
import { type TextName, TOKENS, texts } from '../../unit/safes/counted-texts.js'
import { answer, texts as longTexts } from '../../unit/safes/long-answer.js'

t.test('the token counts that the unit tests rely on are those of the tokenizers', async t => {
  for (const name of Object.keys(texts) as TextName[]) {
    const text = texts[name].repeat(9)
    t.strictSame({ o200k: o200k(text).length, cl100k: cl100k(text).length }, TOKENS[name], name)
  }
})

t.test('X10 what tokenizers make of a text as JSON is never more than estimated', async t => {
  for (const [name, text] of Object.entries(texts)) {
    const form = JSON.stringify(text.repeat(9))
    const most = Math.max(o200k(form).length, cl100k(form).length)
    t.ok(estimateTokens(form) >= most, `${name}: ${most} estimated at ${estimateTokens(form)}`)
  }
})

t.test('English is not estimated at more than twice its tokens', async t => {
  const json = JSON.stringify(answer(longTexts.English.repeat(30), 2))
  t.ok(estimateTokens(json) < 2 * o200k(json).length)
})
