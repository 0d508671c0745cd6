import t from 'tap'
import { type Built, IndexCache } from '../../plugins/safes/index-cache.js'

/** A cache whose builds are answered by hand. */
function openCache(maxBytes = 100) {
  const builds: { safeId: string; done: (built: Built<string>) => void; fail: (error: Error) => void }[] = []
  const cache = new IndexCache<string>(
    safeId => new Promise((done, fail) => builds.push({ safeId, done, fail })),
    maxBytes,
  )
  return { cache, builds }
}

const built = (version: number, bytes = 1): Built<string> => ({ version, index: `v${version}`, bytes })

t.test('a cold Safe is built once, however many ask', async t => {
  const { cache, builds } = openCache()
  const all = Promise.all([cache.get('a', 1), cache.get('a', 1), cache.get('a', 1)])
  t.equal(builds.length, 1)
  builds[0]?.done(built(1))
  t.same(await all, [built(1), built(1), built(1)])
  t.equal((await cache.get('a', 1)).index, 'v1')
  t.equal(builds.length, 1)
})

t.test('a new version is built anew; the older one stays for nobody', async t => {
  const { cache, builds } = openCache()
  const first = cache.get('a', 1)
  builds[0]?.done(built(1))
  await first
  const second = cache.get('a', 2)
  t.equal(builds.length, 2)
  builds[1]?.done(built(2))
  t.equal((await second).version, 2)
  t.equal((await cache.get('a', 2)).version, 2)
  t.equal(builds.length, 2)
})

t.test('a slow build of an old version does not replace a newer index', async t => {
  const { cache, builds } = openCache()
  const old = cache.get('a', 1)
  const young = cache.get('a', 2)
  builds[1]?.done(built(2))
  await young
  builds[0]?.done(built(1))
  t.equal((await old).version, 1)
  t.equal((await cache.get('a', 2)).version, 2)
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
  t.equal((await next).index, 'v1')
})

t.test(
  'the least recently asked leave when all take too much; one too large alone still answers',
  async t => {
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
  },
)
