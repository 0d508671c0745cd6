import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { entity, lines } from '../../jsonl.js'
import { file, openSafes } from './open.js'

t.test('a Safe of many aliases, or of a long text, is indexed in the thread', async t => {
  const aliases = Array.from({ length: 6_000 }, (_, i) =>
    JSON.stringify({ type: 'alias', name: 'Ada', alias: `Ada number ${i}` }),
  )
  const { domain, folder } = await openSafes(t)
  for (const text of [lines(entity('Ada', 'person'), ...aliases), entity('Ada', '', 'word '.repeat(5_000))]) {
    const { id } = await domain.create('ann', 'Safe')
    await domain.imports.add('ann', id, file('a.jsonl', text))
    const { entities } = await domain.questions.ask('ann', id, { query: 'Ada', mode: 'entity' })
    t.match(entities, ['Ada'], 'it is answered')
    t.ok(readdirSync(join(folder, 'indexes')).includes(id), 'the thread left a snapshot')
  }
})
