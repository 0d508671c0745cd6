import fc from 'fast-check'
import t from 'tap'
import { Pause } from '../../../engine/graph/collections/pause.js'
import { toBuffers } from '../../../engine/graph/index/buffers.js'
import { buildIndex, indexOf } from '../../../engine/graph/index/build-index.js'
import { Layers } from '../../../engine/graph/index/layers.js'
import type { SafeIndex } from '../../../engine/graph/index/safe-index.js'
import { rounds } from '../../rounds.js'
import { changeOf, type Rows, rows, sourceOf, succession } from './random-rows.js'

t.test('an index built from rows that were read before is that of all rows, byte for byte', async t => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(rows, { maxLength: 6 }),
      fc.array(changeOf(rows), { maxLength: 6 }),
      async (first, changes) => {
        const imports: Rows[] = []
        const visible = new Set<number>()
        const layers = new Layers()
        let known = new Set<number>()
        for (const { added, toggled } of [{ added: first, toggled: [] }, ...changes]) {
          for (const rows of added) visible.add(imports.push(rows))
          for (const at of toggled) {
            if (at === 0 || at > imports.length) continue
            if (!visible.delete(at)) visible.add(at)
          }
          const ids = [...visible].sort((a, b) => a - b)
          layers.keep(id => visible.has(id))
          const missing = ids.filter(id => !known.has(id))
          known = new Set(ids)
          await layers.read(sourceOf(imports, missing), new Pause())
          const [kept, all] = [
            bytesOf(await indexOf(layers, succession)),
            bytesOf(await buildIndex(sourceOf(imports, ids))),
          ]
          t.ok(kept.bytes.equals(all.bytes) && kept.layout === all.layout)
        }
      },
    ),
    { numRuns: rounds(40, 150) },
  )
})

t.test('removed rows take no memory', async t => {
  const layers = new Layers()
  const note = (at: number): Rows => ({
    entities: [{ key: 'ada', name: 'Ada', type: null }],
    aliases: [{ entityKey: 'ada', alias: 'Lady Ada' }],
    identities: [{ key: 'countess', sameAs: 'ada' }],
    relations: [{ subjectKey: 'ada', predicate: 'knows', objectKey: 'byron' }],
    passages: [{ entityKey: 'ada', title: 'Ada', text: `${at % 7} turning mills. `.repeat(99), time: at }],
  })
  const replace = async (at: number) => {
    layers.keep(() => false)
    await layers.read(sourceOf(Array(at).fill(note(at)), [at]), new Pause())
    await indexOf(layers, succession)
  }
  for (let at = 1; at <= 10; at++) await replace(at)
  const { byteLength, strings } = layers
  for (let at = 11; at <= 30; at++) await replace(at)
  t.equal(layers.byteLength, byteLength)
  t.equal(layers.strings, strings)
})

function bytesOf(index: SafeIndex): { bytes: Buffer; layout: string } {
  const { layout, bytes } = toBuffers(index)
  return { bytes: Buffer.from(bytes), layout: JSON.stringify(layout) }
}
