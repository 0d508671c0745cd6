import t from 'tap'
import { databaseLocation } from '../../helper.js'
import { file, openSafes } from '../safes/open.js'

/** Names of the maximum length without repetition, so that they cannot be compressed. */
const LONG = Array.from({ length: 1000 }, (_, i) =>
  String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000)),
).join('')

t.test('names come back in the order of their bytes, as SQLite has them', async t => {
  const names = ['zebra', 'Äpfel', 'apple', 'éclair', 'Zoo', '漢字', '🙂', 'a b', 'a-b', 'ab']
  const lines = names.map(name => JSON.stringify({ type: 'entity', name, observations: [`About ${name}.`] }))
  const keys: string[][] = []
  for (const over of ['sqlite', 'postgres'] as const) {
    const { domain, stores } = await openSafes(t, { at: await databaseLocation(t, over) })
    const { id } = await domain.create('ann', 'Names')
    await domain.imports.add('ann', id, file('n.jsonl', lines.join('\n')))
    const read: string[] = []
    for await (const page of stores.contents.source(id, [[1, 1]]).entities())
      read.push(...page.map(row => row.key))
    keys.push(read)
  }
  t.equal(keys[0]?.length, names.length)
  t.same(keys[1], keys[0])
})

t.test('a name that Postgres cannot index is refused in words, and nothing of the file is kept', async t => {
  const text = JSON.stringify({ type: 'entity', name: LONG, observations: ['x'] })
  for (const over of ['sqlite', 'postgres'] as const) {
    const { domain, stores, rows } = await openSafes(t, { at: await databaseLocation(t, over) })
    const { id } = await domain.create('ann', 'Names')
    const done = await domain.imports.add('ann', id, file('n.jsonl', text))
    if (over === 'sqlite') t.equal(done.status, 'committed')
    else {
      t.match(done, { status: 'failed', problem: /too long for an index of Postgres/ })
      t.same((await rows()).entities, [])
      t.match(await stores.listedImports.find(id, 1), { status: 'failed' })
    }
  }
})
