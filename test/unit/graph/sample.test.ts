import { readFileSync } from 'node:fs'
import t from 'tap'
import { buildIndex } from '../../../graph/index/build-index.js'
import { query } from '../../../graph/retrieval/query.js'
import { Rows } from './source.js'

interface SampleQuestion {
  question: string
  fact?: [string, string, string]
  /** Words of the passage that answers. */
  passage?: string
}

const file = (name: string) => readFileSync(new URL(`../../../sample/${name}`, import.meta.url))
const questions: SampleQuestion[] = JSON.parse(file('questions.json').toString())

t.test('each question about the sample is answered among the first five', async t => {
  const rows = await new Rows().add('jsonl', file('lighthouse-cooperative.jsonl'))
  const index = await buildIndex(rows)
  t.equal(questions.length, 8)
  for (const { question, fact, passage } of questions) {
    const ranking = query(index, { query: question, limit: 5, offset: 0 })
    const facts = ranking.facts.map(({ ref }) => rows.fact(ref))
    const texts = ranking.passages.map(({ ref }) => rows.passage(ref).text)
    const answers = fact
      ? facts.includes(fact.join(' | '))
      : texts.some(text => text.includes(passage ?? '?'))
    t.ok(answers, question, { facts, texts })
    if (fact) t.ok(facts.slice(0, 2).includes(fact.join(' | ')), `${question} The fact is one of two.`)
    else t.ok(texts[0]?.includes(passage ?? '?'), `${question} The passage comes first.`)
    t.strictSame(ranking.unmatched, [], question)
  }
})
