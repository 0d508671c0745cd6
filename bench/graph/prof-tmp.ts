import { mkdtempSync, rmSync } from 'node:fs'
import { query } from '../../graph/query.js'
import { buildIndex } from '../../graph/safe-index.js'
import { generated } from './rows.js'
import { stored } from './stored-graph.js'
const graph = generated(Number(process.argv[2]))
const folder = mkdtempSync('/tmp/prof-')
const { source, close } = await stored(folder, graph)
const c0 = process.cpuUsage()
const index = await buildIndex(source)
const c1 = process.cpuUsage(c0)
console.log('build cpu', (c1.user + c1.system) / 1e6)
for (let kind = 0; kind < 5; kind++) {
  const qs = graph.questions.filter((_, i) => i % 5 === kind)
  for (let r = 0; r < 2; r++) for (const q of qs) query(index, { query: q, limit: 10, offset: 0 })
  const c = process.cpuUsage()
  for (let r = 0; r < 3; r++) for (const q of qs) query(index, { query: q, limit: 10, offset: 0 })
  const d = process.cpuUsage(c)
  console.log(kind, qs[0], (d.user + d.system) / 1e3 / qs.length / 3, 'ms cpu mean', )
}
await close(); rmSync(folder, { recursive: true })
