import t from 'tap'
import { askedWords, closeFirst } from '../../../engine/graph/retrieval/evidence.js'
import { link } from '../../../engine/graph/retrieval/link.js'
import { entity, lines } from '../../jsonl.js'
import { askerOf, indexOf } from './source.js'

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

t.test('a passage that holds most of a question close together is on the first page', async t => {
  const apart = `The horn is old.${' It was repaired.'.repeat(30)} The brass is not.`
  const texts = Array.from({ length: 25 }, (_, at) => `Day ${at}: rain.`)
  Object.assign(texts, { 12: 'Polish the brass horn with flour.', 13: apart, 22: 'Polish the brass horn.' })
  const notes = texts.map((text, at) => entity(`Note ${at}`, 'note', text))
  const { index } = await indexOf(lines(...notes))
  const asked = askedWords(index, link(index, 'How do I polish the brass horn?'))
  const order = (fact: boolean) =>
    closeFirst(
      index,
      asked,
      texts.map((_, id) => ({ fact: fact && id > 6 && id < 10, id, score: 25 - id })),
    )
  const found = order(false)
  t.strictSame(
    found.map(({ id }) => id),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 9, 10, 11, 13, ...Array.from(texts.keys()).slice(14)],
    'only near the end of the first page, and from the second one',
  )
  t.strictSame(
    found.map(({ score }) => score),
    texts.map((_, at) => 25 - at),
  )
  t.strictSame(
    order(true).map(({ id }) => id),
    [...texts.keys()],
    'facts keep their places',
  )
})
