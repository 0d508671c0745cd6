// npm run bench -- hub — what a question costs in every mode at a hub of 100,000 relations (issue 4: at most 5 ms), and
// what the dearest questions cost that somebody can ask of a Safe made for it (issue 14: at most 20 ms each, because no
// question may hold the event loop for longer), without reading rows. The best of 20 or 5 times, by the clock and in
// processor time.

import { buildIndex } from '../../graph/index/build-index.js'
import { evaluate } from '../../graph/modes/evaluate.js'
import type { GraphQuestion } from '../../graph/modes/question.js'
import { hub } from '../../test/unit/graph/hub.js'
import { crowd, crowdQuestions } from './crowd.js'

const index = await buildIndex(hub)
const questions: Omit<GraphQuestion, 'limit' | 'offset'>[] = [
  { query: 'Who is hub owned by?' },
  { query: 'hub' },
  { entities: ['hub', 'ann', 'thing 7'] },
  { from: 'thing 49999', to: 'part 49999' },
  { from: 'ann', to: 'nobody' },
  { entities: ['hub'], steps: [{ relation: 'links to', direction: 'out' }] },
  {
    entities: ['thing 7'],
    steps: [
      { relation: 'links to', direction: 'in' },
      { relation: 'belongs to', direction: 'in' },
    ],
  },
  {},
]
for (const question of questions) {
  for (const offset of [0, 90_000]) {
    const times = Array.from({ length: 20 }, () => {
      const usage = process.cpuUsage()
      const started = performance.now()
      evaluate(index, { ...question, limit: 50, offset })
      const clock = performance.now() - started
      const { user, system } = process.cpuUsage(usage)
      return { clock, processor: (user + system) / 1000 }
    })
    const best = (of: 'clock' | 'processor') => Math.min(...times.map(time => time[of])).toFixed(2)
    const { mode, total } = evaluate(index, { ...question, limit: 50, offset })
    console.log(
      `${mode.padEnd(8)} from ${String(offset).padStart(6)} of ${String(total).padStart(6)}: clock ${best('clock')} ms, processor ${best('processor')} ms   ${JSON.stringify(question)}`,
    )
  }
}

const crowded = await buildIndex(crowd)
for (const [name, question] of Object.entries(crowdQuestions)) {
  const asked = { limit: 50, offset: 0, ...question }
  const times = Array.from({ length: 5 }, () => {
    const usage = process.cpuUsage()
    const started = performance.now()
    evaluate(crowded, asked)
    const clock = performance.now() - started
    const { user, system } = process.cpuUsage(usage)
    return { clock, processor: (user + system) / 1000 }
  })
  const best = (of: 'clock' | 'processor') => Math.min(...times.map(time => time[of])).toFixed(2)
  const { mode, total } = evaluate(crowded, asked)
  console.log(
    `${mode.padEnd(8)} ${String(total).padStart(6)} found: clock ${best('clock')} ms, processor ${best('processor')} ms   ${name}`,
  )
}
