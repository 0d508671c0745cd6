import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { openConnection } from '../../../platform/storage/sqlite/sqlite-dialect.js'
import { buildService, fill } from '../../integration/mcp/service.js'

t.test('while nothing can be written, questions are answered and the activity is written later', async t => {
  const log: string[] = []
  const service = await buildService(t, { log: { write: line => void log.push(line) } })
  const { app, ann, harbour, issue, poster } = service
  await fill(app, ann, harbour)
  const client = poster(await issue(ann, { chosenSafeIds: [harbour] }))
  await client.tool('svc', { query: 'Ada' })
  await app.activity.flush()

  const other = await openConnection(`${app.config.dataDir}/svc.db`, 'write')
  t.teardown(() => other.close())
  other.prepare('begin immediate').run([])
  const flushed: Promise<void>[] = []
  for (let i = 0; i < 5; i++) {
    const result = await client.tool('svc', { query: `Ada ${i}` })
    t.match(result.content[0].text, 'Harbour project')
    flushed.push(app.activity.flush())
    await pause(10)
  }
  await Promise.all(flushed)
  t.equal(log.filter(line => line.includes('activity cannot be written')).length, 1, 'one line in the log')
  other.prepare('rollback').run([])
  await app.activity.flush()
  const { entries } = await app.activity.ofAccount(ann, { kind: 'question', limit: 10 })
  t.same(
    entries.map(({ question }) => question),
    ['Ada 4', 'Ada 3', 'Ada 2', 'Ada 1', 'Ada 0', 'Ada'],
  )
})
