import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { mergeOldImports } from '../../../domain/safes/imports/merging.js'
import { KeptLayers } from '../../../domain/safes/index/kept-layers.js'
import { toBuffers } from '../../../engine/graph/index/buffers.js'
import { buildIndex, indexOf } from '../../../engine/graph/index/build-index.js'
import type { SafeIndex } from '../../../engine/graph/index/safe-index.js'
import { file, openSafe } from './open.js'

const DAYS = 86_400_000

t.test('whatever happens to a Safe, kept rows give the index that all rows give', async t => {
  const { domain, clock, stores, id, notes, run, same, add } = await open(t)
  notes.set('Ada.md', 'Knows [[Babbage]] of the Old Mill.').set('Byron.md', 'Walks to the Old Mill.')
  await run()
  await same('a first run')
  notes.set('Ada.md', 'Knows [[Byron]].').set('Cy.md', 'Mills. The Old Mill.').delete('Byron.md')
  await run()
  await same('a changed, a new and a removed note')
  await domain.imports.undo('ann', id, 2)
  await same('an undone run')
  await domain.imports.restore('ann', id, 2)
  await same('a restored run')
  const csv = await add('a.csv', 'Ada,lives in,Old Mill')
  await same('an import')
  const staged = await add('b.csv', 'Cy,lives in,Rome', { commit: false })
  await same('an import that waits')
  await same('an import that is about to be committed', staged.id)
  await domain.imports.undo('ann', id, staged.id)
  await domain.idle()
  await same('it was rejected')
  await domain.imports.undo('ann', id, csv.id)
  await same('an undone import')
  await domain.imports.restore('ann', id, csv.id)

  // A run that ends after its index has been built but before it is visible.
  notes.set('Di.md', 'Is in [[Rome]].')
  stores.imports.commit = async () => {
    await same('a run that is about to be visible', (await domain.imports.list('ann', id))[0]?.id)
    throw new Error('killed')
  }
  await t.rejects(run(), { message: 'killed' })
  Reflect.deleteProperty(stores.imports, 'commit')
  await domain.idle()
  await same('the run was killed')
  notes.delete('Di.md')
  await run()
  domain.maintenance.sweep()
  await domain.idle()
  await same('what it had written was dropped')

  for (let hour = 0; hour < 8; hour++) {
    await add(`${hour}.csv`, `Ada,wrote,Letter ${hour}\nAda,knows,Byron`)
    await same('one more import')
    await mergeOldImports({ ...stores, clock }, new AbortController().signal, { keep: 3, most: 2 })
    await same('old imports were merged')
  }
  for (let at = 0; at < 3; at++) {
    notes.set('Ada.md', `Knows [[Person ${at}]].`)
    await run()
  }
  clock.now += 8 * DAYS
  await run()
  domain.maintenance.sweep()
  await domain.idle()
  await same('old versions were dropped')
})

t.test('rows of two Safes are kept apart; those of a Safe above the limit are not kept', async t => {
  const { domain, same, contents, kept, add } = await open(t)
  const other = await domain.create('ann', 'Other')
  await add('a.csv', 'Ada,knows,Byron')
  await domain.imports.add('ann', other.id, file('b.csv', 'Cy,knows,Di'))
  await same('the first')
  const bytes = kept.byteLength
  t.ok(bytes > 0)
  t.equal(await answersOf(contents, kept, other.id), 'cy di')
  t.ok(kept.byteLength > bytes)
  await same('the first again')
  const small = new KeptLayers(contents, bytes - 1)
  t.equal(await answersOf(contents, small, other.id), 'cy di')
  t.equal(small.byteLength, 0)
})

t.test('only new rows are read', async t => {
  const { domain, id, notes, run, contents } = await open(t)
  for (let at = 0; at < 5; at++) notes.set(`Note ${at}.md`, `Text ${at}.`)
  await run()
  const read: string[] = []
  const kept = new KeptLayers({
    removed: id => contents.removed(id),
    source: (safeId, ranges) => {
      read.push(ranges.map(([from, to]) => to - from + 1).join(' '))
      return contents.source(safeId, ranges)
    },
  })
  const next = async () => {
    const visible = await contents.visibleLayers(id)
    if (visible) await kept.read(id, visible)
  }
  await next()
  notes.set('Note 2.md', 'Other text.')
  await run()
  await next()
  await next()
  await domain.imports.undo('ann', id, 2)
  await next()
  t.same(read, ['5', '1', '', '1'])
})

async function open(t: Test) {
  const opened = await openSafe(t)
  const { domain, clock, id } = opened
  const { contents } = opened.stores
  clock.now = Math.max(clock.now, 1e9)
  const notes = new Map<string, string>()
  const walk = async () => ({
    files: Array.from(notes, ([path, text]) => ({
      path,
      size: text.length,
      modifiedAt: clock.now - DAYS,
      open: async () => Readable.from([Buffer.from(text)]),
    })).sort((a, b) => (a.path < b.path ? -1 : 1)),
    leftOut: { hidden: 0, ignored: 0, tooLarge: 0, links: 0, others: 0 },
  })
  const run = async () => {
    clock.now += 1_000
    const done = await domain.folders.sync('ann', id, {
      name: 'notes',
      folder: '/notes',
      walk,
      confirmed: true,
    })
    await domain.idle()
    return done
  }
  const kept = new KeptLayers(contents)
  /** Compares the indexes byte for byte. */
  const same = async (what: string, pending?: number) => {
    const committed = await contents.committedImports(id, pending)
    const visible = await contents.visibleLayers(id, pending)
    if (!committed || !visible) return t.fail('no Safe')
    const all = await buildIndex(contents.source(id, committed.ranges))
    t.same(
      bytesOf(await indexOf(await kept.read(id, visible), await contents.succession(id, committed.ranges))),
      bytesOf(all),
      what,
    )
  }
  return { ...opened, contents, notes, run, same, kept }
}

async function answersOf(contents: { visibleLayers: KeptLayersStore }, kept: KeptLayers, safeId: string) {
  const visible = await contents.visibleLayers(safeId)
  if (!visible) return ''
  const { entities } = await indexOf(await kept.read(safeId, visible), null)
  return entities.bytes.toString().replace(/(cy)(di)/, '$1 $2')
}

type KeptLayersStore = (safeId: string) => Promise<Parameters<KeptLayers['read']>[1] | null>

function bytesOf(index: SafeIndex): unknown {
  const { layout, bytes } = toBuffers(index)
  return { layout: JSON.stringify(layout), bytes: Buffer.from(bytes).toString('base64') }
}
