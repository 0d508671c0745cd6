import t from 'tap'
import { notePath } from '../../../domain/safes/notes/note-path.js'
import { NOTE_LIMITS } from '../../../domain/safes/notes/notes.js'
import { file, openSafe } from './open.js'

async function open(t: Parameters<typeof openSafe>[0]) {
  const opened = await openSafe(t)
  const { domain, id, ask } = opened
  return {
    ...opened,
    add: (title: string, text: string) => domain.notes.add('ann', id, title, text),
    find: (path: string) => domain.notes.find('ann', id, path),
    paths: async () => (await domain.documents.list('ann', id, { limit: 100 })).map(({ path }) => path),
    says: async (text: string) =>
      (await ask({ query: text })).passages.some(passage => passage.text.includes(text)),
  }
}

t.test(
  'a note is a document and answers questions at once; what an edit takes out is gone (UX "Things")',
  async t => {
    const { domain, id, add, find, paths, says } = await open(t)
    const written = await add('Garden plan', 'The zucchini stands by the wall.\r\n\r\nSee [[Compost]].')
    t.equal(written.path, 'Notes/Garden plan.md')
    const note = (await find(written.path))!
    t.match(note, { title: 'Garden plan', text: 'The zucchini stands by the wall.\n\nSee [[Compost]].\n' })
    t.ok(await says('zucchini'))

    const text = 'The pumpkin stands by the wall.'
    const edited = await domain.notes.edit('ann', id, { ...note, text })
    t.ok(await says('pumpkin'))
    t.notOk(await says('zucchini'), 'the text before is in no answer')
    t.same(await paths(), [written.path])
    await t.rejects(domain.notes.edit('ann', id, { ...note, text: 'Lost update' }), { code: 'note_changed' })

    await domain.imports.undo('ann', id, edited.run)
    t.equal((await find(written.path))?.text, note.text)
    await domain.imports.restore('ann', id, edited.run)
    const now = (await find(written.path))!
    const moved = await domain.notes.edit('ann', id, { ...now, title: 'Garden: 2027?' })
    t.same(await paths(), ['Notes/Garden 2027.md'])
    const removed = await domain.notes.remove('ann', id, moved.path)
    t.same(await paths(), [])
    t.notOk(await says('pumpkin'))
    await domain.imports.undo('ann', id, removed.run)
    t.same(await paths(), ['Notes/Garden 2027.md'])
    t.same(await domain.folders.list('ann', id), [], 'it is not listed as a folder of somebody')
  },
)

t.test('notes have paths of their own, and whoever writes at the same time waits', async t => {
  const { domain, id, add, paths, find } = await open(t)
  await Promise.all([add('Same', 'One.'), add('Same', 'Two.'), add('same', 'Three.')])
  t.same((await paths()).map(path => path.toLowerCase()).sort(), [
    'notes/same (2).md',
    'notes/same (3).md',
    'notes/same.md',
  ])
  const [first = ''] = await paths()
  const note = (await find(first))!
  t.match(await domain.notes.edit('ann', id, note), { path: first, run: 0 }, 'nothing has changed')
})

t.test('only notes are edited, and a refusal writes nothing', async t => {
  const { domain, id, add, find, dump } = await open(t)
  const { path } = await add('Mine', 'Text.')
  await domain.imports.add('ann', id, file('Imported.md', '# Imported\n\nText.\n'))
  const note = (await find(path))!
  const before = await dump()
  for (const [refused, code] of [
    [() => add(' ', 'B'), 'note_title'],
    [() => add('A', ' \n'), 'note_text'],
    [() => add('A', 'x'.repeat(NOTE_LIMITS.text + 1)), 'note_text'],
    [() => domain.notes.remove('ann', id, 'Imported.md'), 'not_found'],
    [() => domain.notes.edit('ann', id, { ...note, path: 'Imported.md' }), 'not_found'],
    [
      () =>
        domain.folders.sync('ann', id, {
          name: 'Notes written here',
          folder: '/x',
          walk: async () => t.fail() as never,
        }),
      'own_folder',
    ],
  ] as const)
    await t.rejects(async () => void (await refused()), { code }, code)
  t.equal(await find('Imported.md'), null)
  t.same(await dump(), before)
})

t.test('the path of a note is a file name that links can name', async t => {
  for (const [title, path] of [
    ['Plan', 'Plan'],
    [' a/b\\c: "d" [e]#^| ', 'a b c d e'],
    ['../..', 'Note'],
    ['...x.', 'x'],
    ['\u202e日本\u0007', '日本'],
    ['x'.repeat(300), 'x'.repeat(120)],
  ] as const)
    t.equal(notePath(title), `Notes/${path}.md`)
  t.equal(notePath('Plan', 2), 'Notes/Plan (2).md')
})
