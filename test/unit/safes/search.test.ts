import t from 'tap'
import { search } from '../../../domain/safes/browse/search.js'

type SearchTestDependencies = Parameters<typeof search>[0]

interface Searched {
  /** Facts of each Safe. */
  sizes: number[]
  /** Indexes in memory, and those that open too late, by size. */
  inMemory?: number[]
  late?: number[]
  /** Passages of a Safe without things. */
  without?: number
}

/** Sizes of the opened Safes, in this order, and of those that are not searched. */
async function searched({ sizes, inMemory = [], late = [], without = 0 }: Searched) {
  const opened: number[] = []
  const safe = (entities: number, relations: number, passages: number) => {
    const counts = { entities, relations, passages }
    return { id: String(relations).padStart(22, '0'), name: 'Safe', version: 1, counts }
  }
  const sizeOf = (id: string) => Number(id) + 1
  const content = {
    bytes: 1,
    committed: { version: 1 },
    browse: async () => ({ found: [], naming: [] }),
  }
  const safes = {
    readableBy: async () => [...sizes.map(size => safe(1, size - 1, 0)), safe(0, 0, without)],
    readableAmong: async () => [],
    membership: async () => ({ name: 'Safe', version: 1, role: 'owner' }),
  }
  const indexes = {
    inMemory: (id: string) => (inMemory.includes(sizeOf(id)) ? content : null),
    get: async (id: string) => {
      opened.push(sizeOf(id))
      return late.includes(sizeOf(id)) ? new Promise(() => {}) : content
    },
  }
  const dependencies = { safes, indexes, contents: {}, rows: {} } as unknown as SearchTestDependencies
  const found = await search(dependencies, 'ann', 'a', { groups: 8, limit: 5 })
  return { opened, unsearched: found.unsearched.map(({ id }) => sizeOf(id)) }
}

for (const [what, given, opened, unsearched] of [
  ['opens Safes of 5,000 rows', { sizes: [3_000, 2_000] }, [2_000, 3_000], []],
  ['opens no more of them, the smallest first', { sizes: [3_000, 2_001] }, [2_001], [3_000]],
  ['opens no Safe without things', { sizes: [3_000, 2_000], without: 1_000 }, [2_000, 3_000], []],
  [
    'opens nothing that is in memory',
    { sizes: [4_000, 1_500, 9_000], inMemory: [1_500, 9_000] },
    [4_000],
    [],
  ],
  [
    'opens nothing when time is up',
    { sizes: [30, 20, 10, 40], late: [20], inMemory: [40] },
    [10, 20],
    [30, 20],
  ],
] as [string, Searched, number[], number[]][])
  t.test(`a search over Safes ${what} (ADR 49)`, async t => {
    t.same(await searched(given), { opened, unsearched })
  })
