import t from 'tap'
import { type Answer, answerText } from '../../../domain/safes/ask/answer.js'
import { fitAnswer, withPassages } from '../../../domain/safes/ask/fit-answer.js'
import { estimateTokens } from '../../../domain/safes/ask/tokens.js'
import type { Form } from '../../../domain/safes/safe.js'
import { answer, texts } from './long-answer.js'

const formsOf = (answer: Answer, form: Form = 'both') => [
  ...(form === 'json' ? [] : [answerText(answer)]),
  ...(form === 'text' ? [] : [JSON.stringify(answer)]),
]
const estimated = (answer: Answer, form: Form = 'both') =>
  Math.max(...formsOf(answer, form).map(estimateTokens))

t.test('X10 an answer never needs more tokens than allowed', async t => {
  for (const [script, text] of Object.entries(texts)) {
    for (const maxTokens of [300, 1_000, 2_000, 20_000]) {
      for (const form of ['text', 'json', 'both'] as const) {
        const fitted = fitAnswer(answer(text), { maxTokens, form })
        t.ok(
          estimated(fitted, form) <= maxTokens,
          `${script} ${form}: ${estimated(fitted, form)} of ${maxTokens}`,
        )
        t.ok(fitted.facts.length + fitted.passages.length > 0, `${script}: something is left of ${maxTokens}`)
      }
    }
  }
})

t.test('an answer that fits stays as it is', async t => {
  const small = answer(texts.English.slice(0, 30), 1)
  t.strictSame(fitAnswer(small, { maxTokens: 20_000 }), small)
})

t.test('GRAPH §3 while it does not fit the last whole passage is cut, and no room is left over', async t => {
  const long = answer(texts.English)
  const fitted = fitAnswer(long, { maxTokens: 8_000, cursorAfter: String })
  t.equal(fitted.facts.length, 20)
  t.equal(fitted.passages.length, 20)
  t.ok(fitted.truncated)
  t.equal(fitted.next_cursor, null, 'everything is there')
  const lengths = fitted.passages.map(({ text }) => text.length)
  const whole = lengths.findIndex(length => length < 1_900)
  t.ok(whole > 3, `${whole} stay whole`)
  t.ok(lengths.slice(0, whole).every(length => length > 1_900))
  t.ok(
    lengths.slice(whole + 1).every(length => length > 200 && length <= 251),
    'one has what was left over',
  )
  t.match(fitted.passages.at(-1)?.text, /\u2026$/)
  t.ok(estimated(fitted) > 7_900, 'nearly all of the room is used')
})

t.test('a passage is longer than 2,000 characters only where none is cut for it', async t => {
  const { passages, ...rest } = answer(texts.English, 3)
  const long = { ...rest, passages: passages.map(p => ({ ...p, text: texts.English.repeat(60) })) }
  const lengths = (maxTokens: number) =>
    fitAnswer(long, { maxTokens }).passages.map(({ text }) => text.length)
  const [first = 0, second = 0, third = 0] = lengths(1_600)
  t.ok(first > 1_900 && first <= 2_001 && second > 1_000 && third > 200, `${[first, second, third]}`)
  const [grown = 0, other = 0, last = 0] = lengths(2_600)
  t.ok(grown > 2_001 && other > 1_900 && last > 1_900, `${[grown, other, last]}`)
  t.strictSame(fitAnswer(long, { maxTokens: 20_000 }), long, 'and whole where there is room')
})

t.test('only the forms that are sent to the client count', async t => {
  const long = answer(texts.English)
  const letters = (form: Form) =>
    fitAnswer(long, { maxTokens: 3_000, form }).passages.reduce((sum, { text }) => sum + text.length, 0)
  t.ok(letters('text') > 1.2 * letters('both'), `${letters('text')} of ${letters('both')}`)
  t.equal(letters('json'), letters('both'), 'the structured form needs more')
})

t.test('what has the lowest score is dropped last, and the cursor goes on there', async t => {
  const long = answer(texts.English)
  const all = [...long.facts, ...long.passages].map(({ score }) => score).sort((a, b) => b - a)
  for (const maxTokens of [400, 1_000, 1_500, 2_500]) {
    const fewer = fitAnswer(long, { maxTokens, cursorAfter: count => `after ${count}` })
    const kept = [...fewer.facts, ...fewer.passages].map(({ score }) => score).sort((a, b) => b - a)
    t.ok(kept.length > 1 && kept.length < 40)
    t.strictSame(kept, all.slice(0, kept.length), 'the best in one piece')
    t.equal(fewer.next_cursor, `after ${kept.length}`)
    t.ok(
      estimated(fewer) <= maxTokens && estimated(fewer) > 0.9 * maxTokens,
      `${estimated(fewer)} of ${maxTokens}`,
    )
  }
})

t.test('GRAPH §3.9 what is before and after passages is shown as far as there is room', async t => {
  const plain = answer(texts.English, 2)
  const context = { before: `${'\u{1f680}'.repeat(300)} and then`, after: `so ${'\u{1f680}'.repeat(300)}` }
  const rich = { ...plain, passages: plain.passages.map(passage => ({ ...passage, ...context })) }
  const beside = (maxTokens: number) =>
    fitAnswer(rich, { maxTokens }).passages.map(({ before = '', after = '' }) => {
      t.match(before, /^(?:\u2026(?:\u{1f680})+ and then)?$/u, 'the end of what is before, no half of a pair')
      t.match(after, /^(?:so (?:\u{1f680})+\u2026)?$/u)
      return Math.max(before.length, after.length)
    })
  const [first = 0, second = 0] = beside(20_000)
  t.ok(first > 200 && first <= 241 && first === second)
  const needed = estimated(plain)
  const [best = 0, other = 0] = beside(needed + 1_600)
  t.ok(best > 200 && other > 0 && other <= 81, `the best first: ${[best, other]}`)
  t.strictSame(beside(needed + 20), [0, 0])
  t.notOk(fitAnswer(rich, { maxTokens: needed + 20 }).truncated, 'nothing that was found is cut')
  t.notOk(JSON.stringify(fitAnswer(rich, { maxTokens: needed - 300 })).includes('before'))
})

t.test('a passage that is cut keeps the part that holds the words of the question', async t => {
  const filler = texts.English.repeat(20)
  const { passages, ...rest } = answer(texts.English, 1)
  const found = {
    ...rest,
    passages: passages.map(p => ({ ...p, text: `${filler}The fog horn was sold in May. ${filler}` })),
  }
  const cut = fitAnswer(found, { maxTokens: 400, stems: ['fog', 'horn', 'sell'] }).passages[0]?.text
  t.match(cut, /^\u2026.*The fog horn was sold in May\. .*\u2026$/)
  t.match(withPassages(found, 240, { stems: ['fog'] }).passages[0]?.text, /^\u2026.*fog horn was sold/)
  t.match(fitAnswer(found, { maxTokens: 400, stems: ['zeppelin'] }).passages[0]?.text, /^The keeper/)
})

t.test('with hardly any room the Safe is still named', async t => {
  const tiny = fitAnswer(answer(texts.English), { maxTokens: 1 })
  t.match(tiny, {
    safe: { name: 'Lighthouse' },
    facts: { length: 0 },
    passages: { length: 0 },
    truncated: true,
  })
  t.match(fitAnswer(answer(texts.Chinese), { maxTokens: 250 }), { truncated: true })
})
