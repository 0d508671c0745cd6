import t from 'tap'
import type { SafeContent } from '../../../domain/safes/index/content.js'
import { IndexCache } from '../../../domain/safes/index/index-cache.js'

/** A cache whose builds are answered by hand. */
function openCache(maxBytes = 100) {
  const builds: { safeId: string; done: (content: SafeContent) => void; fail: (error: Error) => void }[] = []
  const cache = new IndexCache(
    safeId => new Promise((done, fail) => builds.push({ safeId, done, fail })),
    maxBytes,
  )
  return { cache, builds }
}

const built = (version: number, bytes = 1): SafeContent => ({
  committed: { version, counts, contentHash: `v${version}`, ranges: [], undoneVersion: 0, readableFrom: 0 },
  bytes,
  rank: () => Promise.reject(new Error('nobody asks')),
  browse: () => Promise.reject(new Error('nobody looks')),
})
const counts = { entities: 0, relations: 0, passages: 0 }

t.test('a cold Safe is built once, however many ask', async t => {
  const { cache, builds } = openCache()
  const all = Promise.all([cache.get('a', 1), cache.get('a', 1), cache.get('a', 1)])
  t.equal(builds.length, 1)
  builds[0]?.done(built(1))
  t.same(await all.then(contents => contents.map(({ committed }) => committed.version)), [1, 1, 1])
  t.equal((await cache.get('a', 1)).committed.version, 1)
  t.equal(builds.length, 1)
})

t.test('a new version is opened, and takes the place of the older one', async t => {
  const { cache, builds } = openCache()
  const first = cache.get('a', 1)
  builds[0]?.done(built(1))
  await first
  const second = cache.get('a', 2)
  t.equal(builds.length, 2)
  builds[1]?.done(built(2))
  t.equal((await second).committed.version, 2)
  t.equal((await cache.get('a', 2)).committed.version, 2)
  t.equal(builds.length, 2)
})

t.test(
  'an index counts as asked once it has answered, and no longer when a newer one takes its place',
  async t => {
    const { cache, builds } = openCache()
    cache.keep('a', built(1))
    t.notOk(cache.isAsked('a'), 'opened in advance')
    await cache.get('a', 1)
    t.ok(cache.isAsked('a'))
    cache.keep('a', built(2))
    t.notOk(cache.isAsked('a'), 'nobody has asked since the change')
    const third = cache.get('a', 3)
    builds[0]?.done(built(3))
    await third
    t.ok(cache.isAsked('a'), 'opened for a question')
  },
)

t.test('while a new version is opened the one before it answers', async t => {
  const { cache, builds } = openCache()
  const first = cache.get('a', 1)
  builds[0]?.done(built(1))
  await first
  t.equal((await cache.get('a', 2)).committed.version, 1, 'not ready in time')
  t.equal((await cache.get('a', 2)).committed.version, 1)
  t.equal(builds.length, 2, 'opened once')
  builds[1]?.done(built(2))
  await new Promise(setImmediate)
  t.equal((await cache.get('a', 2)).committed.version, 2)
})

t.test('a slow build of an old version does not replace a newer index', async t => {
  const { cache, builds } = openCache()
  const old = cache.get('a', 1)
  const young = cache.get('a', 2)
  builds[1]?.done(built(2))
  await young
  builds[0]?.done(built(1))
  t.equal((await old).committed.version, 1)
  t.equal((await cache.get('a', 2)).committed.version, 2)
  t.equal(builds.length, 2)
})

t.test('a failed build is not remembered', async t => {
  const { cache, builds } = openCache()
  const failing = cache.get('a', 1)
  builds[0]?.fail(new Error('the disk is gone'))
  await t.rejects(failing, /disk/)
  const next = cache.get('a', 1)
  t.equal(builds.length, 2)
  builds[1]?.done(built(1))
  t.equal((await next).committed.version, 1)
})

t.test('the least recently asked leave when all take too much; one too large still answers', async t => {
  const { cache, builds } = openCache(10)
  const put = async (safeId: string, bytes: number) => {
    const getting = cache.get(safeId, 1)
    builds.at(-1)?.done(built(1, bytes))
    await getting
  }
  const isKept = async (safeId: string) => {
    const before = builds.length
    const getting = cache.get(safeId, 1)
    const kept = builds.length === before
    if (!kept) builds.at(-1)?.fail(new Error('not kept'))
    await getting.catch(() => {})
    return kept
  }
  await put('a', 4)
  await put('b', 4)
  await isKept('a')
  await put('c', 4)
  t.same([await isKept('b'), await isKept('a'), await isKept('c')], [false, true, true])
  await put('huge', 50)
  t.same([await isKept('a'), await isKept('c'), await isKept('huge')], [false, false, true])
  cache.drop('huge')
  t.equal(await isKept('huge'), false)
})
