import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { contentOf } from '../../../domain/safes/index/content.js'
import type { BuiltIndex } from '../../../domain/safes/index/index-build.js'
import { IndexThread } from '../../../domain/safes/index/index-thread.js'
import { Indexes } from '../../../domain/safes/index/indexes.js'
import { Snapshots } from '../../../domain/safes/index/snapshot.js'
import { Workspace } from '../../../engine/graph/index/workspace.js'
import { dataDir } from '../../data-dir.js'
import { once } from '../../once.js'
import { until } from '../../until.js'
import { openSafe, people } from './open.js'

/** Large enough that the thread opens it. */
const MANY = 2_600
const QUESTION = { query: 'Whom does Person 7 know?' }

/**
 * A Safe with its index, for all tests: starting its threads takes as long as all of the work. Each test leaves the
 * index unchanged.
 */
const openLarge = once(async () => {
  const opened = await openSafe(t, { at: { dataDir: dataDir(t), databaseUrl: null } })
  const { id, stores } = opened
  await opened.add('people.nt', people(MANY))
  const snapshot = join(opened.folder, 'indexes', id)
  const { contents } = stores
  const thread = new IndexThread(opened.at)
  t.teardown(() => thread.close())
  /** As another process, or this one after a restart, would open it. */
  const errors: Error[] = []
  const again = (maxBytes = 1024 * 1024 * 1024) => {
    const onError = (error: unknown) => errors.push(error as Error)
    const snapshots = new Snapshots(opened.folder)
    const indexes = new Indexes({ contents, snapshots, thread, maxBytes, onError })
    t.teardown(() => indexes.close())
    return indexes
  }
  return { ...opened, snapshot, again, errors }
})

t.test('an import leaves a snapshot of the Safe, from which others answer alike', async t => {
  const { ask, id, snapshot, again } = await openLarge()
  const { facts } = await ask(QUESTION)
  t.ok(facts.some(({ subject, object }) => subject === 'Person 7' && object === 'Person 8'))
  t.equal(statSync(snapshot).mode & 0o777, 0o600)
  const before = statSync(snapshot).mtimeMs
  const content = await again().get(id, 1)
  const { ranking } = await content.rank({ ...QUESTION, limit: 10, offset: 0 })
  t.same(
    ranking.facts.slice(0, facts.length).map(({ ref }) => `f${ref.importId}.${ref.id}`),
    facts.map(fact => fact.id),
  )
  t.equal(statSync(snapshot).mtimeMs, before, 'it was read, not made again')
})

t.test('a damaged, older or missing snapshot is made again, and answers as before', async t => {
  const { ask, id, folder, stores, snapshot, again } = await openLarge()
  const before = (await ask(QUESTION)).facts.map(fact => fact.id)
  const good = readFileSync(snapshot)
  const flipped = Buffer.from(good)
  flipped[good.length - 100] = (flipped[good.length - 100] ?? 0) ^ 1
  const damages = {
    missing: () => rmSync(snapshot),
    'cut short': () => truncateSync(snapshot, good.length - 10),
    empty: () => writeFileSync(snapshot, ''),
    'of another form': () => writeFileSync(snapshot, otherForm(good)),
    'something else': () => writeFileSync(snapshot, 'svc index\n\xff\xff\xff\x7fnot a header'),
    'one bit wrong': () => writeFileSync(snapshot, flipped),
  }
  const { contentHash = '' } = (await stores.contents.committedImports(id)) ?? {}
  const load = () => new Snapshots(folder).load(id, contentHash)
  for (const [name, damage] of Object.entries(damages)) {
    writeFileSync(snapshot, good)
    t.ok(await load())
    damage()
    t.equal(await load(), null, name)
  }
  const { ranking } = await (await again().get(id, 1)).rank({ ...QUESTION, limit: 10, offset: 0 })
  t.same(
    ranking.facts.slice(0, before.length).map(({ ref }) => `f${ref.importId}.${ref.id}`),
    before,
  )
  // Not byte for byte: the hash tables of each process have their own order.
  t.equal(statSync(snapshot).size, good.length, 'written again')
})

t.test('a Safe larger than the memory for indexes answers alike, and takes none', async t => {
  const { id, again } = await openLarge()
  const asked = { ...QUESTION, limit: 10, offset: 0 }
  const inMemory = await again().get(id, 1)
  const content = await again(1000).get(id, 1)
  t.same(await content.rank(asked), await inMemory.rank(asked))
  const browsed = await content.browse({ kind: 'thing', name: 'Person 7' })
  t.match(browsed.found, { key: 'p7' })
  t.same(browsed, await inMemory.browse({ kind: 'thing', name: 'Person 7' }))
  t.equal(content.bytes, 0)
})

t.test('an index that cannot be written answers from memory, and is written later', async t => {
  const { id, folder, snapshot, again, errors } = await openLarge()
  const asked = { ...QUESTION, limit: 10, offset: 0 }
  const usual = await (await again().get(id, 1)).rank(asked)
  // Nothing can be written there, as on a full disk.
  const indexes = join(folder, 'indexes')
  rmSync(indexes, { recursive: true })
  writeFileSync(indexes, '')
  for (const maxBytes of [undefined, 1000]) {
    const opened = again(maxBytes)
    for (let i = 0; i < 3; i++) t.same(await (await opened.get(id, 1)).rank(asked), usual)
  }
  t.equal(errors.length, 2, 'one line for each process')
  t.match(errors[0]?.message, /served from memory/)
  rmSync(indexes)
  const content = await again(1000).get(id, 1)
  t.same(await content.rank(asked), usual)
  t.ok(statSync(snapshot).size > 0, 'with room again it is written')
  t.equal(errors.length, 2)
})

/** A snapshot from a version with another index format: header and bytes match each other. */
function otherForm(snapshot: Buffer): Buffer {
  const start = 'svc index\n'.length
  const header = snapshot.subarray(start + 4, start + 4 + snapshot.readUInt32LE(start)).toString()
  const other = header.replace(/"version":(\d+)/, (_, version) => `"version":${Number(version) + 1}`)
  if (other === header || other.length !== header.length)
    throw new Error('The header has no version of one length.')
  return Buffer.from(snapshot.toString('latin1').replace(header, other), 'latin1')
}

/** The last ones change the Safe that the others share. */
t.test('what is new is added to the index of the snapshot, which stays as it was (ADR 17)', async t => {
  const { add, id, snapshot, again, at } = await openLarge()
  const before = readFileSync(snapshot)
  await add('more.nt', '<http://x/p7> <http://x/knows> <http://x/zoe> .')
  t.ok(readFileSync(snapshot).equals(before), 'nothing was built')
  const thread = new IndexThread(at)
  t.teardown(() => thread.close())
  const factsOf = async ({ committed, index }: BuiltIndex) => {
    const asked = { ...QUESTION, limit: 50, offset: 0 }
    const { ranking } = await contentOf(committed, index, new Workspace()).rank(asked)
    return ranking.facts.map(({ ref }) => `${ref.importId}/${ref.id}`).sort()
  }
  const changed = await thread.open(id)
  t.match(changed, { from: 'changes', committed: { version: 2 } })
  const complete = await thread.open(id, undefined, { isComplete: true })
  t.equal(complete.from, 'rows')
  t.notOk(readFileSync(snapshot).equals(before), 'written again')
  t.strictSame(await factsOf(changed), await factsOf(complete))
  t.ok((await factsOf(changed)).includes('2/1'))
  t.equal((await thread.open(id)).from, 'file')
  t.equal((await again().get(id, 2)).committed.version, 2)
})

t.test('an undone import is gone from the index in memory, and a restored one is back', async t => {
  const { add, ask, domain, id } = await openLarge()
  const { id: importId } = await add('later.nt', '<http://x/p7> <http://x/admires> <http://x/yara> .')
  const admired = async () =>
    (await ask({ query: 'Whom does Person 7 admire?' })).facts.map(({ object }) => object)
  t.ok((await admired()).includes('yara'))
  await domain.imports.undo('ann', id, importId)
  t.notOk((await admired()).includes('yara'))
  const yara = () => domain.browse.things('ann', id, { search: 'yara', sort: 'name', limit: 5 })
  // The earlier index answers until the next one has been built.
  await until(async () => (await yara()).items.length === 0)
  await domain.imports.restore('ann', id, importId)
  t.ok((await admired()).includes('yara'))
})
