import { readFileSync } from 'node:fs'
import t from 'tap'
import { askerOf } from './source.js'

interface SampleQuestion {
  question: string
  fact?: [string, string, string]
  /** Words of the passage that answers. */
  passage?: string
}

const file = (name: string) => readFileSync(new URL(`../../../domain/safes/sample/${name}`, import.meta.url))
const questions: SampleQuestion[] = JSON.parse(file('questions.json').toString())

t.test('each question about the sample is answered among the first five', async t => {
  const { search } = await askerOf(['jsonl', file('lighthouse-cooperative.jsonl')])
  t.equal(questions.length, 8)
  for (const { question, fact, passage } of questions) {
    const { said: facts, texts, ...ranking } = search(question, { limit: 5 })
    const answers = fact
      ? facts.includes(fact.join(' | '))
      : texts.some(text => text.includes(passage ?? '?'))
    t.ok(answers, question, { facts, texts })
    if (fact) t.ok(facts.slice(0, 2).includes(fact.join(' | ')), `${question} The fact is one of two.`)
    else t.ok(texts[0]?.includes(passage ?? '?'), `${question} The passage comes first.`)
    t.strictSame(ranking.unmatched, [], question)
  }
})
