import t, { type Test } from 'tap'
import { mergeOldImports } from '../../../domain/safes/imports/merging.js'
import { entity, lines, relation } from '../../jsonl.js'
import { zip } from '../../zip.js'
import { Folder } from './folder.js'
import { DATABASES, type Database, openSafe } from './open.js'

const NOTE = { name: 'Garden.md', content: '# Garden\n\nPeas by the [[Wall]].\n\n## Later\n\nBeans.\n' }
const FIRST = lines(
  entity('Jane Smith', 'person', 'Repairs lamps.'),
  relation('Jane Smith', 'leads', 'Archive'),
  relation('Jane Smith', 'leads', 'Workshop'),
)
/** Mostly existing content in another spelling, and a new name for the same person. */
const OVERLAPPING = lines(
  entity('Jane Smith', 'person', 'Repairs lamps.', 'Sings.'),
  relation('jane smith', 'leads', 'archive'),
  relation('J. Smith', 'leads', 'Archive'),
  relation('J. Smith', 'knows', 'Jane Smith'),
)

/** What a member finds in the lists of a Safe, page by page. */
async function found({ domain, id }: Awaited<ReturnType<typeof openSafe>>) {
  const { browse, documents } = domain
  const all = async <Item>(page: (last?: Item) => Promise<{ items: Item[]; hasMore: boolean }>) => {
    const items: Item[] = []
    for (let hasMore = true; hasMore; ) {
      const part = await page(items.at(-1))
      items.push(...part.items)
      hasMore = part.hasMore
    }
    return items.length
  }
  const { predicates } = await browse.contents('ann', id, 100)
  let relations = 0
  for (const { predicate } of predicates)
    relations += (await browse.relations('ann', id, { predicate, limit: 1_000 })).items.length
  return {
    entities: await all<{ key: string }>(last =>
      browse.things('ann', id, { sort: 'name', limit: 2, ...(last ? { after: last.key } : {}) }),
    ),
    relations,
    passages: (await browse.passages('ann', id, { limit: 1_000 })).items.length,
    documents: (await documents.list('ann', id, { limit: 1_000 })).length,
  }
}

async function open(t: Test, over: Database) {
  const opened = await openSafe(t, { over })
  const { domain, id, stores } = opened
  /** Lists show the counts that members find. */
  const check = async (after: string) => {
    const expected = await found(opened)
    t.same((await domain.find('ann', id))?.counts, expected, after)
    t.match(
      await stores.safes.readable('ann', id),
      { counts: expected, isCounted: true },
      'and is written down',
    )
    return expected
  }
  return { ...opened, check }
}

for (const over of DATABASES)
  t.test(
    `${over}: what is counted is what can be opened, after whatever changes a Safe (ADR 41)`,
    async t => {
      const { domain, id, add, check, ask, clock, stores } = await open(t, over)
      t.same(await check('nothing'), { entities: 0, relations: 0, passages: 0, documents: 0 })
      await add('first.jsonl', FIRST)
      const first = await check('an import')
      t.same(first, { entities: 3, relations: 2, passages: 1, documents: 1 })
      await add('vault.zip', zip([NOTE, { name: 'Wall.md', content: 'High.\n' }]))
      const before = await check('a folder')
      await add('again.jsonl', OVERLAPPING)
      t.same(await check('an import of what is there'), {
        entities: before.entities + 1,
        relations: before.relations + 2,
        passages: before.passages + 1,
        documents: before.documents + 1,
      })
      await add('vault.zip', zip([{ ...NOTE, content: `${NOTE.content}\nMore.\n` }]))
      await check('a folder again')
      const { id: merged } = await domain.identity.merge('ann', id, 'Jane Smith', 'J. Smith')
      await check('two things are one')
      const fact = await domain.removed.removeFact('ann', id, {
        subject: 'Jane Smith',
        predicate: 'leads',
        object: 'Workshop',
      })
      await check('a fact is removed')
      const peas = (await ask({ query: 'peas' })).passages[0]
      await domain.removed.removePassage('ann', id, peas?.id ?? '')
      await check('a passage is removed')
      await domain.removed.restore('ann', id, fact)
      await check('a fact is brought back')
      await domain.imports.undo('ann', id, 2)
      await check('an import is undone')
      await domain.imports.undo('ann', id, merged)
      await check('two things are apart again')
      await domain.imports.restore('ann', id, 2)
      await check('an import is restored')
      await domain.notes.add('ann', id, 'Plan', 'Pick the [[Beans]].')
      await check('a note is written')
      const folder = new Folder().set('Plan.md', 'Another [[Plan]].').set('x/Wall.md', 'High.\n')
      const sync = { name: 'notes', folder: '/notes', walk: () => folder.walk() }
      await domain.folders.sync('ann', id, sync)
      await check('a folder is synced')
      folder.set('Plan.md', 'Less.').delete('x/Wall.md')
      await domain.folders.sync('ann', id, sync)
      await check('a folder has changed')
      const all = await check('all imports')
      await mergeOldImports({ ...stores, clock }, new AbortController().signal, { keep: 1, most: 2 })
      t.same(await check('old imports are merged'), all)
      await domain.removal.remove('ann', id)
      t.same((await domain.removal.list('ann'))[0]?.counts, all)
      await domain.removal.restore('ann', id)
      t.same(await check('the Safe is removed and restored'), all)
    },
  )
