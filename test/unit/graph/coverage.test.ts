import t from 'tap'
import { entity, lines } from '../../jsonl.js'
import { askerOf } from './source.js'

async function ask() {
  const { search } = await askerOf([
    'jsonl',
    lines(
      entity('Slipway', 'note', 'The boat is hauled out for its overhaul in March.'),
      entity('Galley', 'note', 'The stove burns paraffin. Keep the kettle filled.'),
      entity('Zephyrine', 'note', 'She sails well close to the wind.'),
    ),
  ])
  return Object.assign((question: string, offset = 0) => search(question, { offset }).evidence?.near, {
    unknown: (question: string) => search(question).evidence?.unknown,
  })
}

t.test('GRAPH §5 how much of a question its best passage holds, rare words counting more', async t => {
  const coverage = await ask()
  t.equal(coverage('Where is the stove?'), 1, 'stop words do not count')
  t.equal(coverage('stove at the slipway'), 0.5, 'words of titles count')
  const half = coverage('the boat and the fusebox') ?? 1
  t.ok(half > 0.1 && half < 0.5, `a word that the Safe does not know weighs most: ${half}`)
  t.equal(coverage('what burns paraffin? paraffin, paraffin'), 1, 'a repeated word counts once')
})

t.test('how much of a question the Safe has no words for, whichever passage is best', async t => {
  const { unknown } = await ask()
  t.equal(unknown('stove at the slipway'), 0)
  const half = unknown('the boat and the fusebox') ?? 1
  t.ok(half > 0.5 && half < 0.9, String(half))
  t.equal(unknown('zzyzx'), 1)
  t.equal(unknown('How does the Zephirine sail?'), 0, 'a misspelt name that was recognised')
})

t.test('polite phrases are no part of a question', async t => {
  const coverage = await ask()
  for (const question of [
    'Could you please tell me where the stove is?',
    "Hi, I'd like to know where the stove is, please",
    'Can you tell me what I should know: where is the stove? Thanks!',
    'Any idea where the stove is',
    'Hello, how old is the stove?',
    'how much is the stove',
    'Könnten Sie mir bitte sagen: stove, bitte?',
  ])
    t.equal(coverage(question), question.includes('should') ? coverage('know stove') : 1, question)
  const part = coverage('the stove, please, burns') ?? 1
  t.ok(part < 0.6, 'elsewhere these are words like others')
})

t.test('a misspelt name that was recognised is no missing word', async t => {
  const coverage = await ask()
  t.equal(coverage('How does the Zephirine sail?'), 1)
})
