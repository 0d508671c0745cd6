import { readFileSync } from 'node:fs'
import t from 'tap'
import { sampleQuestions } from '../../../domain/safes/sample.js'
import { open } from '../pages/open.js'

const file = new URL('../../../domain/safes/sample/questions.json', import.meta.url)
const questions: { question: string; lead: string }[] = JSON.parse(readFileSync(file, 'utf8'))

t.test(
  'the sample is a small library: notes with links, a chat, a PDF, a calendar (issue 57.10)',
  async t => {
    const { app, browser, id: ann } = await open(t)
    const { id } = await app.safes.createSample(ann)
    const imported = await app.safes.imports.list(ann, id)
    t.match(imported, [{ status: 'committed', badLineCount: 0 }])
    t.notOk(imported[0]?.leftOut, 'nothing of it is left out')
    const documents = await app.safes.documents.list(ann, id, { limit: 50 })
    const paths = documents.map(({ path }) => path)
    t.ok(paths.filter(path => path.endsWith('.md')).length >= 12)
    for (const ending of ['.txt', '.pdf', '.ics'])
      t.ok(
        paths.some(path => path.endsWith(ending)),
        ending,
      )
    for (const { path } of documents) {
      const address = path.split('/').map(encodeURIComponent).join('/')
      const { statusCode, body } = await browser.get(`/safes/${id}/documents/${address}`)
      t.equal(statusCode, 200, path)
      t.notMatch(body, 'class="dead"', `${path}: every link leads somewhere`)
    }
    t.ok(sampleQuestions().length === 8)
    for (const { question, lead } of questions) {
      const answer = await app.safes.questions.ask(ann, id, { query: question, form: 'text' })
      t.match(answer.lead?.text ?? JSON.stringify(answer.facts[0] ?? null), lead, question)
    }
  },
)
