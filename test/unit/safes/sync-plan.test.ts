import t from 'tap'
import type { KnownFile } from '../../../domain/safes/stores/types.js'
import { type FoundFile, planOf, suspectsOf } from '../../../domain/safes/sync/plan.js'

const found = (path: string, more: Partial<FoundFile> = {}): FoundFile => ({
  ...{ path, size: 10, modifiedAt: 1_000 },
  open: async () => {
    throw new Error('A plan reads no file.')
  },
  ...more,
})

let ids = 0
const known = (path: string, lookedUp: string[] = [], more: Partial<KnownFile> = {}): [string, KnownFile] => {
  const id = ++ids
  const file = { id, firstId: id, path, size: 10, modifiedAt: 1_000, contentHash: `hash of ${path}` }
  return [
    path,
    { ...file, lookedUp: new Set(lookedUp), kind: 'markdown', relations: 0, passages: 0, ...more },
  ]
}

const hashes = (of: Record<string, string | null>) => new Map(Object.entries(of))

/** The paths of a plan, without empty lists. */
function shown(plan: ReturnType<typeof planOf>) {
  const { removed, ...pairs } = plan
  const paths = Object.entries(pairs).map(([what, list]) => [
    what,
    list.map(({ found, known }) =>
      known && known.path !== found.path ? `${known.path} → ${found.path}` : found.path,
    ),
  ])
  return Object.fromEntries(
    [...paths, ['removed', removed.map(({ path }) => path)]].filter(([, list]) => list?.length),
  )
}

t.test('only files with another size or time are read to tell whether they have changed', async t => {
  const before = new Map([known('same.md'), known('longer.md'), known('later.md')])
  const now = [found('same.md'), found('longer.md', { size: 11 }), found('later.md', { modifiedAt: 2_000 })]
  const suspects = (files: FoundFile[]) => suspectsOf(before, files).map(({ path }) => path)
  t.same(suspects(now), ['longer.md', 'later.md'])
  t.same(suspects([...now, found('new.md')]), ['longer.md', 'later.md'], 'a new file is new')
  t.same(
    suspects([found('same.md'), found('later.md'), found('new.md')]),
    ['new.md'],
    'unless another one is missing: then it may be the same',
  )
  t.same(
    suspectsOf(new Map([known('a.md', [], { modifiedAt: 0 })]), [found('a.md')]).length,
    1,
    'time unknown',
  )
})

t.test('a plan adds, replaces and removes files', async t => {
  const before = new Map([known('same.md'), known('edited.md'), known('saved.md'), known('gone.md')])
  const now = [found('same.md'), found('edited.md'), found('saved.md'), found('new.md')]
  const read = hashes({ 'edited.md': 'another', 'saved.md': 'hash of saved.md', 'new.md': 'new' })
  t.same(shown(planOf(before, now, read)), {
    added: ['new.md'],
    changed: ['edited.md'],
    touched: ['saved.md'],
    removed: ['gone.md'],
  })
  t.same(
    shown(
      planOf(
        before,
        [...before.keys()].map(path => found(path)),
        hashes({}),
      ),
    ),
    {},
  )
})

t.test('a file with the content of a missing one is that file under another name', async t => {
  const before = new Map([
    known('a.csv'),
    known('b.csv', [], { contentHash: 'hash of a.csv' }),
    known('c.csv'),
  ])
  const now = [found('moved/a.csv'), found('moved/b.csv'), found('moved/c.csv'), found('moved/d.csv')]
  const same = 'hash of a.csv'
  const read = hashes({
    'moved/a.csv': same,
    'moved/b.csv': same,
    'moved/c.csv': 'changed as well',
    'moved/d.csv': same,
  })
  const plan = planOf(before, now, read)
  t.same(shown(plan).removed, ['c.csv'])
  t.same(shown(plan).added, ['moved/c.csv', 'moved/d.csv'])
  t.same(new Set(plan.renamed.map(({ known }) => known?.path)), new Set(['a.csv', 'b.csv']), 'each once')
})

t.test('a file that cannot be read stays as it is', async t => {
  const before = new Map([known('bad.md')])
  const now = [found('bad.md', { size: 11 }), found('worse.md')]
  t.same(shown(planOf(before, now, hashes({ 'bad.md': null, 'worse.md': null }))), {})
})

t.test('notes are read again when a note comes or goes that their links may mean', async t => {
  const before = new Map([
    known('ada.md', ['ada', 'babbage']),
    known('byron.md', ['byron', 'london']),
    known('many.md', [], { lookedUp: null }),
    known('table.csv', ['babbage']),
    known('guide/readme.md', ['readme', 'guide']),
    known('start.md', ['start', 'guide']),
  ])
  const all = [...before.keys()].map(path => found(path))
  const relinked = (files: FoundFile[], read: Record<string, string> = {}) =>
    shown(planOf(before, files, hashes(read))).relinked
  t.same(relinked([...all, found('people/Babbage.md')]), ['ada.md', 'many.md'])
  t.same(relinked([...all, found('babbage.csv')]), undefined, 'other files have no names')
  t.same(
    relinked(all.filter(({ path }) => path !== 'guide/readme.md')),
    ['many.md', 'start.md'],
    'a folder stands for its note',
  )
  const renamed = [...all.filter(({ path }) => path !== 'ada.md'), found('london.md')]
  t.same(relinked(renamed, { 'london.md': 'hash of ada.md' }), ['byron.md', 'many.md'], 'both names count')
  t.same(relinked(all, { 'ada.md': 'changed' }), undefined, 'a changed note keeps its name')
})

t.test('notes are read again when their line ends are shown otherwise', async t => {
  const before = new Map([
    known('lined.md', [], { kind: 'markdown-lines' }),
    known('joined.md'),
    known('chat.md', [], { kind: 'chat' }),
    known('none.md', [], { kind: null }),
  ])
  const relinked = (lineBreaks: boolean) =>
    shown(
      planOf(
        before,
        [...before.keys()].map(path => found(path, { lineBreaks })),
        hashes({}),
      ),
    ).relinked
  t.same(relinked(true), ['joined.md'])
  t.same(relinked(false), ['lined.md'])
})
