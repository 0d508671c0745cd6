import t, { type Test } from 'tap'
import type { Question } from '../../../domain/safes/safe.js'
import { Folder } from './folder.js'
import { DATABASES, type Database, openSafe } from './open.js'

const HOUR = 3_600_000
const LONG = 'A sentence that is far too long to be a name, as it goes on and on until the end of the line.'
const NOTES = {
  'boats/Heron.md': `---\nstatus: draft\nDue Date: 2026-05-01\nrating: 5\nowners: [Ada, Ben]\ntags: [work]\n---\n# Heron\n\nThe mast is loose.\n\n## Later\n\nThe sail is torn.\n`,
  'boats/Tern.md': `---\nstatus: Done\nrating: 4\nowner: "[[Ada]]"\ntype: boat\nsummary: ${LONG}\n---\nThe mast is firm.\n`,
  'plans/index.md': '---\nstatus: draft\nrating: 4\nseen: true\n---\nThe mast is drawn.\n',
  'ideas/index.md': '---\nstatus: idea\n---\nThe mast is a thought.\n',
  'Café.md': 'status:: draft\nrating:: 3\n\n- The mast is served.\n',
  'Plain.md': 'The mast has no properties.\n\nNote: 5 of them.\n\nMore text about the mast.\n',
}
const TASKS = 'Name,Status,Rating\nPaint the mast,draft,9\nFix the mast,done,8\n'

async function open(t: Test, over?: Database, indexBytes?: number) {
  const opened = await openSafe(t, { over, ...(indexBytes && { indexBytes }) })
  const { domain, id, ask, clock, add } = opened
  const folder = new Folder()
  const sync = async () => {
    clock.now += HOUR
    await domain.folders.sync('ann', id, { name: 'notes', folder: '/notes', walk: folder.walk })
    await domain.idle()
  }
  for (const [path, text] of Object.entries(NOTES)) folder.set(path, text)
  await sync()
  clock.now += HOUR
  await add('Tasks.csv', TASKS)
  const found = async (question: Question) => {
    const { passages } = await ask({ query: 'mast', limit: 50, maxTokens: 20_000, ...question })
    return passages.map(({ document, title }) => (document === 'Tasks.csv' ? title : document)).sort()
  }
  return { ...opened, folder, sync, found }
}

const WHERE: Record<string, { where: Record<string, unknown>; in?: string[]; found: string[] }> = {
  'a name': {
    where: { status: 'draft' },
    found: ['Café.md', 'Paint the mast', 'boats/Heron.md', 'plans/index.md'],
  },
  'a name in other letters': { where: { STATUS: ' done' }, found: ['Fix the mast', 'boats/Tern.md'] },
  'one of several': {
    where: { status: ['idea', 'Done'] },
    found: ['Fix the mast', 'boats/Tern.md', 'ideas/index.md'],
  },
  'a number, which is a line of text': { where: { rating: 4 }, found: ['boats/Tern.md', 'plans/index.md'] },
  'a number of Logseq': { where: { rating: '3' }, found: ['Café.md'] },
  'a number of a row': { where: { Rating: 9 }, found: ['Paint the mast'] },
  true: { where: { seen: true }, found: ['plans/index.md'] },
  'a date, and a name of two words in another form': {
    where: { due_date: '2026-05-01' },
    found: ['boats/Heron.md'],
  },
  'one of a list': { where: { owners: 'ben' }, found: ['boats/Heron.md'] },
  'a link': { where: { owner: '[[Ada]]' }, found: ['boats/Tern.md'] },
  'the name of a link': { where: { owner: 'Ada' }, found: ['boats/Tern.md'] },
  'a tag': { where: { tags: 'work' }, found: ['boats/Heron.md'] },
  'a type': { where: { type: 'Boat' }, found: ['boats/Tern.md'] },
  'a long text': { where: { summary: LONG }, found: ['boats/Tern.md'] },
  'all of several': {
    where: { status: 'draft', rating: [4, 5] },
    found: ['boats/Heron.md', 'plans/index.md'],
  },
  'all, of which none has both': { where: { status: 'idea', rating: 4 }, found: [] },
  'the places in which it is asked': {
    where: { status: 'draft' },
    in: ['plans/', 'boats/Tern.md', 'Tasks.csv'],
    found: ['Paint the mast', 'plans/index.md'],
  },
}

for (const over of DATABASES) {
  t.test(`${over}: where finds notes and rows by their properties (issue 54.9)`, async t => {
    const { found, folder, sync } = await open(t, over)
    for (const [what, { found: expected, ...question }] of Object.entries(WHERE))
      t.same(await found(question), expected, what)
    folder.set('plans/index.md', '---\nstatus: done\n---\nThe mast stands.\n')
    await sync()
    t.same(await found({ where: { status: 'done' } }), ['Fix the mast', 'boats/Tern.md', 'plans/index.md'])
    await t.rejects(found({ where: { seen: true } }), /No note has/, 'what was before is not found')
  })

  t.test(`${over}: recent lists documents by their last change (issue 54.9)`, async t => {
    const { ask, folder, sync, clock, domain, id } = await open(t, over)
    const first = clock.now - HOUR
    folder.set('Plain.md', 'The mast has still no properties.\n')
    await sync()
    clock.now += HOUR
    const { path } = await domain.notes.add('ann', id, 'Anchor', 'It holds.\n')
    const listed = async (question: Question = {}) => {
      const { passages, next_cursor, hints } = await ask({ recent: true, maxTokens: 20_000, ...question })
      return { paths: passages.map(({ document }) => document), passages, next_cursor, hints }
    }
    const all = await listed()
    t.same(all.paths.slice(0, 3), [path, 'Plain.md', 'Tasks.csv'])
    t.same(all.paths.slice(3), [
      'Café.md',
      'ideas/index.md',
      'plans/index.md',
      'boats/Tern.md',
      'boats/Heron.md',
    ])
    t.match(all.passages.slice(1), [
      { title: 'Plain', text: /still/, time: new Date(first + 2 * HOUR).toISOString().replace('.000', '') },
      { title: 'Tasks' },
    ])
    const pages: unknown[] = []
    for (let cursor: string | null = null; ; ) {
      const page = await listed({ limit: 3, ...(cursor !== null && { cursor }) })
      pages.push(...page.paths)
      cursor = page.next_cursor
      if (cursor === null) break
    }
    t.same(pages, all.paths, 'page by page')
    const until = new Date(first + HOUR).toISOString()
    t.same((await listed({ until })).paths[0], 'Tasks.csv')
    t.same((await listed({ since: until })).paths, [path, 'Plain.md', 'Tasks.csv'])
    t.same((await listed({ in: ['boats/'] })).paths, ['boats/Tern.md', 'boats/Heron.md'])
    t.same((await listed({ in: ['boats/', 'Café.md'], where: { status: 'draft' } })).paths, [
      'Café.md',
      'boats/Heron.md',
    ])
    const none = await listed({ since: '2100-01-01' })
    t.same(none.paths, [])
    t.match(none.hints, [/No document/])
    t.match((await listed({ query: 'mast', limit: 1 })).hints, [/The query was not used/])
    for (const more of [{ mode: 'path' as const }, { entities: ['Ada'] }, { asOf: '2026' }])
      await t.rejects(listed(more), { status: 400, message: /Combine it with/ })
  })
}

t.test('an unknown property or value is answered with the nearest', async t => {
  const { found, ask } = await open(t)
  for (const [where, message] of [
    [{ stauts: 'draft' }, /No note has a property "stauts"\. Nearest: "status"/],
    [{ dues: '2026-05-01' }, /No note has a property "dues"\. Nearest: "due date"/],
    [{ status: 'draught' }, /No note has "status": "draught"\. Nearest: "draft"/],
    [{ rating: 17 }, /No note has "rating": "17"\. Nearest: .*"4"/],
    [{ type: 'boot' }, /No note has "type": "boot"\. Nearest: "boat"/],
    [{ note: '5 of them.' }, /./],
  ] as const)
    await t.rejects(found({ where }), { status: 400, message })
  for (const where of [
    { '': 'x' },
    { status: '' },
    { status: [] },
    { status: { a: 1 } },
    { status: [null] },
    { ['x'.repeat(300)]: 'x' },
  ])
    await t.rejects(found({ where: where as never }), {
      status: 400,
      message: /"where" gives up to 10 properties/,
    })
  await t.rejects(found({ where: { status: 'draft' }, mode: 'walk' }), {
    status: 400,
    message: /"where" applies to/,
  })
  const { hints } = await ask({ query: 'pumpkin', where: { status: 'draft' } })
  t.match(hints.join(' '), /those that "where" select/)
  t.match(
    (await ask({ query: 'thought', where: { status: 'draft' } })).hints.join(' '),
    /Without "where" 1 result/,
  )
})

t.test('a Safe larger than the memory for indexes is asked in the same way', async t => {
  const { found } = await open(t, undefined, 1)
  t.same(await found({ where: { status: 'draft', rating: [4, 5] } }), ['boats/Heron.md', 'plans/index.md'])
})

t.test('a cursor belongs to the properties it was asked with', async t => {
  const { ask } = await open(t)
  const { next_cursor: cursor } = await ask({ query: 'mast', where: { status: 'draft' }, limit: 1 })
  const question = { query: 'mast', limit: 1, cursor: cursor ?? '' }
  t.equal((await ask({ ...question, where: { status: 'draft' } })).passages.length, 1)
  await t.rejects(ask({ ...question, where: { status: 'done' } }), /cursor/)
})
