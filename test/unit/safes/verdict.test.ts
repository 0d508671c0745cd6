import t from 'tap'
import { confidenceOf, type Held, verdictOf } from '../../../domain/safes/ask/verdict.js'

const lead = (score: number, rivals = 0) => ({
  ...{ score, near: 0, titled: 0 },
  sentence: { rivals, length: 0.5, expected: 0 },
})
/** The evidence in a passage with a share of a question of this many words. */
const held = (share: number, words: number, unknown = 0) => ({
  asked: Array.from({ length: words }, () => ({ stems: ['x'], worth: 1 / words })),
  ...{ near: share, titled: 0, unknown },
})

const verdict = (evidence: ReturnType<typeof held>, lead: Held) =>
  verdictOf(confidenceOf(evidence, lead), evidence, lead)

t.test('an answer is certain when one passage has most of the question (ADR 49)', async t => {
  t.equal(verdict(held(1, 3), lead(1)), 'answered')
  t.equal(verdict(held(0.5, 3), lead(0.5)), 'possible')
  t.equal(verdict(held(0.3, 3), lead(0.3)), 'none')
})

t.test('a sentence leads only if few of other passages compete with it; a fact need not be', async t => {
  t.equal(verdict(held(0.8, 3, 0.2), lead(0.8)), 'answered')
  t.equal(verdict(held(0.8, 3, 0.2), lead(0.8, 1.5)), 'possible')
  t.equal(verdict(held(1, 3, 0.2), { ...lead(0.9), sentence: null }), 'answered')
})

t.test(
  'the confidence falls with what the Safe has no words for, and grows with words that agree',
  async t => {
    t.ok(confidenceOf(held(0.6, 4, 0.4), lead(0.6)) < confidenceOf(held(0.6, 4), lead(0.6)))
    t.ok(confidenceOf(held(0.6, 5), lead(0.6)) > confidenceOf(held(0.6, 2), lead(0.6)))
    for (const score of [0, 1.4])
      t.ok(confidenceOf(held(1, 1), lead(score)) >= 0 && confidenceOf(held(1, 30), lead(score)) <= 1)
  },
)
