import t from 'tap'
import { Pause } from '../../../engine/graph/collections/pause.js'
import { frequency, idf, matchText, scoreText, searchText } from '../../../engine/graph/index/bm25.js'
import { TextIndexBuilder } from '../../../engine/graph/index/text-index-builder.js'
import { Workspace } from '../../../engine/graph/index/workspace.js'

const workspace = new Workspace()

async function index(...texts: string[]) {
  const builder = new TextIndexBuilder()
  for (const text of texts) {
    builder.add(text.split(' '))
    builder.end()
  }
  return builder.build(new Pause())
}

t.test('BM25 is the formula, computed by hand (Robertson and Zaragoza 2009, k1 0.9, b 0.4)', async t => {
  const texts = await index('lamp lamp oil', 'lamp', 'oil oil oil oil wick', 'rope')
  // 4 texts of 3, 1, 5 and 1 words: 2.5 on average. "lamp" is in 2 of them, "wick" in 1.
  const lamp = Math.log(1 + 2.5 / 2.5)
  const wick = Math.log(1 + 3.5 / 1.5)
  const score = (idf: number, times: number, length: number) =>
    (idf * times * 1.9) / (times + 0.9 * (0.6 + (0.4 * length) / 2.5))
  const expected = [score(lamp, 2, 3), score(lamp, 1, 1), score(wick, 1, 5)]
  const scored = searchText(workspace, texts, ['lamp', 'wick'], 10, 100)
  t.strictSame(
    scored.map(({ id, score }) => [id, score.toFixed(5)]),
    expected
      .map((score, id): [number, string] => [id, score.toFixed(5)])
      .sort(([, a], [, b]) => Number(b) - Number(a)),
  )
  // With words alone, and the usual k1 1.2 and b 0.75.
  const usual = (idf: number, times: number, length: number) =>
    (idf * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * length) / 2.5))
  scoreText(
    workspace,
    texts,
    ['lamp', 'wick'],
    100,
    ({ all }) =>
      t.strictSame(
        Array.from(all.subarray(0, 3), score => score.toFixed(5)),
        [usual(lamp, 2, 3), usual(lamp, 1, 1), usual(wick, 1, 5)].map(score => score.toFixed(5)),
      ),
    { isAll: true },
  )
  t.equal(idf(4, 2), lamp)
  t.equal(frequency(texts, 'oil'), 2)
  t.equal(frequency(texts, 'nothing'), 0)
})

t.test('stop words do not count, words meet by their stems, a text can count twice', async t => {
  const builder = new TextIndexBuilder()
  builder.add(['the', 'keeper'], 2)
  builder.add(['of', 'lamps'])
  builder.end()
  const texts = await builder.build(new Pause())
  t.equal(texts.lengths[0], 3)
  t.equal(frequency(texts, 'keep'), 1)
  t.equal(frequency(texts, 'the'), 0)
})

t.test('rare words are read first, and no more postings than the cap', async t => {
  const texts = await index(...Array.from({ length: 50 }, (_, i) => (i === 49 ? 'lamp wick' : 'lamp')))
  t.equal(searchText(workspace, texts, ['lamp', 'wick'], 50, 100).length, 50)
  t.strictSame(
    searchText(workspace, texts, ['lamp', 'wick'], 50, 10).map(({ id }) => id),
    [49],
    'the common word would go over the cap',
  )
  t.equal(searchText(workspace, texts, ['lamp'], 50, 10).length, 10, 'alone it is read up to the cap')
})

t.test('which words a text has, as bits; scores are put back to zero', async t => {
  const texts = await index('lamp oil', 'oil', 'wind')
  t.strictSame(
    matchText(workspace, texts, ['lamp', 'oil', 'x'], 100),
    new Map([
      [0, 3],
      [1, 2],
    ]),
  )
  for (const words of [['lamp'], ['wind']]) {
    scoreText(workspace, texts, words, 100, ({ all: scores, texts: touched }) => {
      t.equal(touched.length, 1)
      t.equal(scores.slice(0, 3).filter(score => score > 0).length, 1, 'nothing is left of the search before')
    })
  }
})

t.test('a question that breaks off leaves nothing behind for the next', async t => {
  const texts = await index('lamp oil', 'oil', 'wind')
  const broken = () => {
    throw new Error('broken')
  }
  t.throws(() => scoreText(workspace, texts, ['oil'], 100, broken, { apart: ['oil'] }), {
    message: 'broken',
  })
  scoreText(workspace, texts, ['wind'], 100, ({ all, apart }) => {
    t.strictSame([all[0], all[1], apart[0], apart[1]], [0, 0, 0, 0])
  })
})
