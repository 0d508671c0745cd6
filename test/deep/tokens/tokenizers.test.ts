import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import t from 'tap'
import { answerText } from '../../../safes/ask/answer.js'
import { fitAnswer } from '../../../safes/ask/fit-answer.js'
import { estimateTokens } from '../../../safes/ask/tokens.js'
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

t.test('X10 an answer never needs more tokens than allowed, by the real tokenizers', async t => {
  for (const [script, text] of Object.entries(longTexts)) {
    for (const maxTokens of [300, 1_000, 2_000, 20_000]) {
      for (const form of ['text', 'json', 'both'] as const) {
        const fitted = fitAnswer(answer(text), { maxTokens, form })
        const sent = [
          ...(form === 'json' ? [] : [answerText(fitted)]),
          ...(form === 'text' ? [] : [JSON.stringify(fitted)]),
        ]
        const most = Math.max(...sent.flatMap(one => [o200k(one).length, cl100k(one).length]))
        t.ok(most <= maxTokens, `${script} ${form}: ${most} of ${maxTokens}`)
      }
    }
  }
})

t.test('English is not estimated at more than twice its tokens', async t => {
  const json = JSON.stringify(answer(longTexts.English.repeat(30), 2))
  t.ok(estimateTokens(json) < 2 * o200k(json).length)
})
