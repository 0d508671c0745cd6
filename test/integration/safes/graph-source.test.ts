import t from 'tap'
import { entity, lines } from '../../jsonl.js'
import { openSafe } from './open.js'

t.test('rows of a large import are read in pages, each once and in their order', async t => {
  const { add, id, stores } = await openSafe(t)
  const texts = Array.from({ length: 1_001 }, (_, at) => `Passage ${at}.`)
  await add('many.jsonl', lines(entity('Ada', '', ...texts)))
  const read: string[] = []
  for await (const page of stores.contents.allRows(id, [[1, 1]]).passages())
    read.push(...page.map(({ text }) => text))
  t.strictSame(read, texts)
})
