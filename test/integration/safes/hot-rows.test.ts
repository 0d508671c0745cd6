import t from 'tap'
import { ask, type RunInTurn } from '../../../domain/safes/ask/ask.js'
import { HotRows, type StoredRows } from '../../../domain/safes/ask/hot-rows.js'
import type { SafeContent } from '../../../domain/safes/index/content.js'
import { IndexThread } from '../../../domain/safes/index/index-thread.js'
import { Indexes } from '../../../domain/safes/index/indexes.js'
import { Snapshots } from '../../../domain/safes/index/snapshot.js'
import {
  type EntityRef,
  FIRST_VERSION,
  LAST_VERSION,
  type StoredPassage,
} from '../../../domain/safes/stores/types.js'
import type { RowRef } from '../../../engine/graph/model.js'
import { entity, lines, relation } from '../../jsonl.js'
import { openSafe } from './open.js'

type Opened = Awaited<ReturnType<typeof openSafe>>

/** Asks over a store that records every read. `staysOld`: the first index of a Safe answers from then on. */
function asker({ stores, folder, at }: Opened, { maxBytes = 1e6, staysOld = false } = {}) {
  const { contents, safes } = stores
  const reads: string[] = []
  let answered = 0
  const noted = <Args extends unknown[], Result>(name: string, read: (...args: Args) => Promise<Result>) => {
    return async (...args: Args) => {
      reads.push(`${name} ${answered}`)
      const result = await read(...args)
      answered++
      return result
    }
  }
  const counted: StoredRows = {
    relations: noted('relations', (...args) => contents.relations(...args)),
    passages: noted('passages', (...args) => contents.passages(...args)),
    entities: noted('entities', (...args) => contents.entities(...args)),
    sources: noted('sources', (...args) => contents.sources(...args)),
  }
  const indexes = new Indexes({
    contents,
    snapshots: new Snapshots(folder),
    thread: new IndexThread(at),
    maxBytes: 1e9,
  })
  if (staysOld) {
    const opened = new Map<string, Promise<SafeContent>>()
    const open = indexes.get.bind(indexes)
    indexes.get = (safeId, version) => {
      const content = opened.get(safeId) ?? open(safeId, version)
      opened.set(safeId, content)
      return content
    }
  }
  const rows = new HotRows(counted, maxBytes)
  return {
    rows,
    reads: () => reads.splice(0),
    answered: () => answered,
    ask: async (account: string, safeId: string, query: string) => {
      const dependencies = {
        safes,
        contents,
        indexes,
        rows,
        parts: noParts,
        recent: { list: async () => [] },
        baseUrl: 'https://svc.test',
      }
      const inTurn = (async (work: () => unknown) => work()) as RunInTurn
      return ask(dependencies, inTurn, account, safeId, { query })
    },
  }
}

const noParts = {
  find: async () => ({ within: [], notes: [] }),
  outline: async () => ({ folders: [], tags: [] }),
}

const beside = relation('Crane', 'stands beside', 'Slip')
const harbour = lines(
  entity('Crane', 'thing', 'The crane lifts boats.'),
  entity('Slip', 'thing', 'The slip is dry.'),
  beside,
)

t.test('GRAPH §5, DESIGN §6 all rows of an answer are read at once, and not again', async t => {
  const opened = await openSafe(t)
  const { id } = opened
  await opened.add('harbour.jsonl', harbour)
  const { ask, reads } = asker(opened)
  const first = await ask('ann', id, 'What stands beside the crane?')
  t.ok(first.facts.length > 0 && first.passages.length > 0)
  t.strictSame(
    reads().sort(),
    ['entities 0', 'passages 0', 'relations 0', 'sources 0'],
    'none waits for another',
  )
  t.strictSame(await ask('ann', id, 'What stands beside the crane?'), first)
  t.strictSame(reads(), [])
})

t.test('what is undone is not answered from memory while an older index still answers', async t => {
  const opened = await openSafe(t)
  const { domain, id, add } = opened
  await add('harbour.jsonl', harbour)
  await add('more.jsonl', lines(entity('Crane', 'thing', 'The crane rusts.'), beside))
  const { ask } = asker(opened, { staysOld: true })
  const sources = async () => {
    const { passages, facts } = await ask('ann', id, 'What stands beside the crane?')
    return [...passages, ...facts].flatMap(thing => ('text' in thing ? thing.source : thing.sources))
  }
  t.ok((await sources()).includes('more.jsonl'))
  await domain.imports.undo('ann', id, 2)
  const left = await sources()
  t.ok(left.includes('harbour.jsonl'))
  t.notOk(left.includes('more.jsonl'))
})

/** Passages of any Safe, each with this many characters. */
function passages(length: number, read: (refs: readonly RowRef[]) => void = () => {}) {
  const row = ({ importId, id }: RowRef): StoredPassage => {
    const texts = { entityKey: 'key', title: 'Title', text: 'x'.repeat(length) }
    return { importId, id, ...texts, time: null, source: null, origin: null, seq: null, document: null }
  }
  return {
    relations: async () => [],
    entities: async (_safe: string, entities: readonly EntityRef[]) =>
      entities.slice(1).map(ref => ({ ...ref, name: ref.key.toUpperCase(), type: null })),
    sources: async () => new Map<number, string>(),
    passages: async (_safe: string, refs: readonly RowRef[]) => {
      read(refs)
      return refs.filter(({ id }) => id < 100).map(row)
    },
  } satisfies StoredRows
}

const refs = (...ids: number[]) => ids.map(id => ({ importId: 1, id }))

t.test('rows and names that are not there are asked for once, too', async t => {
  let asked: number[] = []
  const rows = new HotRows(
    passages(10, refs => {
      asked = refs.map(({ id }) => id)
    }),
    1e6,
  )
  const of = rows.of('a', 1)
  t.strictSame(
    (await of.passages(refs(1, 99, 100))).map(({ id }) => id),
    [1, 99],
  )
  t.strictSame(
    (await of.passages(refs(99, 100, 2))).map(({ id }) => id),
    [99, 2],
  )
  t.strictSame(asked, [2])
  const naming = new Map([
    ['a', 1],
    ['b', 1],
  ])
  for (let i = 0; i < 2; i++) t.strictSame([...(await of.names(naming))], [['b', 'B']])
})

t.test('memory is bounded: the Safe queried longest ago is evicted, one too large never cached', async t => {
  let reads = 0
  const rows = new HotRows(
    passages(1_000, () => reads++),
    20_000,
  )
  const read = async (safe: string, ...ids: number[]) => {
    reads = 0
    t.equal((await rows.of(safe, 1).passages(refs(...ids))).length, ids.length)
    t.ok(rows.bytes <= 20_000, `${rows.bytes}`)
    return reads
  }
  t.equal(await read('a', 1, 2, 3), 1)
  t.equal(await read('b', 1, 2, 3), 1)
  t.equal(await read('a', 1, 2, 3), 0)
  t.equal(await read('c', 1, 2, 3), 1)
  t.equal(await read('a', 1, 2, 3), 0)
  t.equal(await read('b', 1, 2, 3), 1, 'was asked longest ago')
  const large = Array.from({ length: 50 }, (_, i) => i)
  t.strictSame([await read('d', ...large), await read('d', ...large)], [1, 1], 'has no room')
  t.equal(await read('b', 1, 2, 3), 0, 'and takes none of the others’')
})

t.test('another version of a Safe has none of the rows before, and an older one keeps none', async t => {
  let reads = 0
  const rows = new HotRows(
    passages(10, () => reads++),
    1e6,
  )
  const read = async (version: number) => {
    reads = 0
    await rows.of('a', version).passages(refs(1))
    return reads
  }
  t.strictSame([await read(1), await read(1), await read(2), await read(2)], [1, 0, 1, 0])
  t.strictSame([await read(1), await read(1), await read(2)], [1, 1, 0])
  rows.drop('a')
  t.equal(rows.bytes, 0)
  t.equal(await read(2), 1)
})

t.test('no row is taken for another, whatever their numbers', async t => {
  const { database, stores, id } = await openSafe(t)
  const refs: RowRef[] = [1, 2, FIRST_VERSION, FIRST_VERSION + 1, LAST_VERSION - 1, LAST_VERSION].flatMap(
    importId => [1, 2, 3, 2 ** 23, 2 ** 23 + 1, 2 ** 24 - 1].map(id => ({ importId, id })),
  )
  const nothing = { source: null, seq: null, time: null, origin: null }
  const passages = refs.map(({ importId: import_id, id: row }) => ({
    ...{ safe_id: id, import_id, id: row, entity_key: 'crane', title: 'Crane' },
    ...{ text: `${import_id}.${row}`, ...nothing },
  }))
  await database.write(trx => trx.insertInto('passages').values(passages).execute())
  const rows = new HotRows(stores.contents, 1e6).of(id, 1)
  for (const from of ['the database', 'memory'])
    t.same(
      (await rows.passages(refs)).map(({ text }) => text),
      refs.map(({ importId, id }) => `${importId}.${id}`),
      from,
    )
})
