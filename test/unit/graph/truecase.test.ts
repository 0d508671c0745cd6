import t from 'tap'
import { Pause } from '../../../engine/graph/collections/pause.js'
import { query } from '../../../engine/graph/retrieval/query.js'
import { isName, spellingOf } from '../../../engine/graph/text/truecase.js'
import { entity, lines } from '../../jsonl.js'
import { indexOf } from './source.js'

t.test('a word is a name if at least half of its passages write it in capitals', async t => {
  const spelling = { frequencies: Uint32Array.of(10), capitals: Uint32Array.of(0) }
  t.ok(isName([0], 5, spelling))
  t.notOk(isName([0], 4, spelling))
})

t.test('words are a name if each is in capitals in a fifth of its passages, in whatever phrases', async t => {
  const phrases = [
    { stems: [0, 1], passages: 2 },
    { stems: [0, -1, 2], passages: 1 },
  ]
  const spelling = await spellingOf(
    {
      count: phrases.length,
      stemsOf: phrase => phrases[phrase]?.stems ?? [],
      passagesOf: phrase => phrases[phrase]?.passages ?? 0,
    },
    Uint32Array.of(15, 10, 6),
    new Pause(),
  )
  t.same([...spelling.capitals], [3, 2, 1])
  t.ok(isName([0, 1], 2, spelling), '3 of 15 and 2 of 10')
  t.notOk(isName([0, -1, 2], 1, spelling), 'only 1 of 6')
})

t.test('a word that begins sentences is no entity of a Safe, a name is', async t => {
  const text = (at: number) =>
    `${at < 2 ? 'Change' : 'We change'} the lamp ${at} times.${at % 2 === 0 ? ' Merit Olsen did it.' : ''} Some say no.`
  const notes = [0, 1, 2, 3, 4, 5].map(at => entity(`note ${at}`, 'x', text(at)))
  const { index } = await indexOf(lines(...notes))
  const linked = (asked: string) =>
    query(index, { query: asked, limit: 10, offset: 0 }).linked.map(({ entity }) => entity)
  t.same(linked('Who is Merit Olsen?'), ['merit olsen'])
  t.same(linked('What did they change?'), [])
})
