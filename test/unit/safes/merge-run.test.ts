import t from 'tap'
import { WORK_LEASE_MS } from '../../../domain/safes/imports/dropping.js'
import { MergeLayer } from '../../../domain/safes/imports/merge-layer.js'
import { MergeRun, type MergeRunDependencies } from '../../../domain/safes/imports/merging.js'
import type { Merge, RowBatch } from '../../../domain/safes/stores/types.js'

async function* none(): AsyncGenerator<never[]> {}

const textsOf = (lengths: number[]) =>
  lengths.map((length, id) => ({ id, entityKey: 'a', title: '', text: 'x'.repeat(length), seq: null }))

/**
 * Merges this many aliases, and passages of these lengths. `left`: the time until another process may have the Safe.
 */
async function merge({
  aliases = 0,
  passages = [] as number[],
  left = WORK_LEASE_MS,
  held = true,
  isStopped = false,
}) {
  const written: number[] = []
  const leases = new Set<number>()
  let released = 0
  const rows = Array.from({ length: aliases }, (_, at) => ({ entityKey: 'a', alias: `A ${at}` }))
  const all = {
    entities: none,
    identities: none,
    aliases: async function* () {
      yield rows
    },
  }
  const merges = {
    relations: none,
    documents: none,
    append: async (_: Merge, batch: RowBatch, until: number) => {
      written.push(batch.aliases.length + batch.passages.length)
      leases.add(until)
      return held
    },
    release: async () => void released++,
  }
  const contents = {
    allRows: () => all,
    fullPassages: async function* () {
      yield textsOf(passages)
    },
  }
  const stores = { merges, contents, clock: () => 1_000 }
  const begun = { safeId: 's', layer: 1, from: 1, through: 9, until: 1_000 + left }
  const known = { sources: new Map(), times: new Map(), singleValued: new Set() }
  const signal = isStopped ? AbortSignal.abort() : new AbortController().signal
  const merge = { ...begun, ...known } as unknown as Merge
  const run = new MergeRun({ ...(stores as unknown as MergeRunDependencies), merge, signal })
  const done = await run.copy(new MergeLayer())
  return { written, done, released, leases: [...leases] }
}

for (const [what, given, written] of [
  ['nothing', {}, []],
  ['nothing for half of its lease', { left: WORK_LEASE_MS / 2 }, []],
  ['nothing for longer, but holds the Safe', { left: WORK_LEASE_MS / 2 - 1 }, [0]],
  ['few rows together', { aliases: 199 }, [199]],
  ['200 rows at once', { aliases: 201 }, [200, 1]],
  ['much text at once', { passages: [1_000_000, 1] }, [1, 1]],
  ['less text together', { passages: [999_998, 1] }, [2]],
] as [string, Parameters<typeof merge>[0], number[]][])
  t.test(`a merge writes ${what}`, async t => {
    const { done, ...did } = await merge(given)
    t.ok(done)
    t.strictSame(did, { written, released: 0, leases: written.length > 0 ? [1_000 + WORK_LEASE_MS] : [] })
  })

t.test('a merge that is stopped, or whose Safe another process holds, writes no further', async t => {
  t.strictSame(await merge({ aliases: 201, isStopped: true }), {
    written: [],
    leases: [],
    done: false,
    released: 1,
  })
  t.match(await merge({ aliases: 201, held: false }), { written: [200], done: false, released: 0 })
})
