import t from 'tap'
import { noteIds } from '../../../engine/formats/notes/note-ids.js'
import { NoteNames } from '../../../engine/formats/notes/note-names.js'
import { chunks, passages, problems, read, records, shown } from './read.js'

const note = (content: string, size = 9) => read('markdown', chunks(content, size), { path: 'Page.md' })

t.test('Logseq: properties between two lines of dashes', async t => {
  const parsed = await note(
    '---\nalias:: [[Other]], [[Third]]\nvia:: [[A]] and [[B]]\nrating: 5\n---\n- Text',
  )
  t.strictSame(problems(parsed), [])
  t.strictSame(shown(parsed), [
    'Page is Page',
    'Page alias Other',
    'Page alias Third',
    'Page — via → A',
    'Page — via → B',
    'Page: - Text',
  ])
})

t.test('Logseq: what it shows at a place is read as what it is', async t => {
  for (const [written, text] of [
    ['- {{embed [[Sails]]}} {{video https://e.org/a}}', '- [[Sails]] https://e.org/a'],
    ['- {{query (todo now)}}', '- {{query (todo now)}}'],
  ] as const)
    t.match(passages(await note(written)), [{ text }], written)
})

t.test('Logseq: a block that is meant says its text, and its note is linked', async t => {
  const [one, two, gone] = ['1', '2', '3'].map(digit => `65f0c0de-0000-4000-8000-00000000000${digit}`)
  const files = {
    'pages/Soup.md': `id:: ${gone}\n- ## Leek *soup*\n  id:: ${one}\n\t- of ((${two}))`,
    'pages/Stock.md': `- Stock for ((${one}))\n  id:: ${two}\n`,
  }
  const opened = Object.entries(files).map(([path, content]) => ({ path, open: async () => chunks(content) }))
  const notes = new NoteNames(Object.keys(files), await noteIds(opened))
  for (const [written, text] of [
    [`- see ((${one}))`, '- see Leek *soup*'],
    [`- {{embed ((${one})) }}`, '- Leek *soup*'],
    [`- [this one](((${one})))`, '- this one'],
    // They refer to one another.
    [`- ((${two}))`, '- Stock for Leek *soup*'],
    [`- ((${gone}))`, '- Soup'],
    ['- ((65f0c0de-0000-4000-8000-000000000009)) a', '-  a'],
    [`- \`((${one}))\``, `- \`((${one}))\``],
  ] as const) {
    const parsed = await read('markdown', chunks(written), { path: 'journals/2024_01_01.md', notes })
    t.match(passages(parsed), [{ text }], written)
  }
  const parsed = await read('markdown', chunks(`- see ((${two}))`), { path: 'pages/Home.md', notes })
  t.match(shown(parsed), ['Home is Home', 'Home — links to → Stock'])
})

t.test('the date of a note is read with dashes in its name, and slashes in its value', async t => {
  const [passage] = passages(await note('date-created:: [[2026/04/07]]\n\nText.'))
  t.equal(passage?.time, Date.UTC(2026, 3, 7))
})

t.test('pictures that are written into a note are not read', async t => {
  const data = 'iVBORw0K'.repeat(150_000)
  const content = `A ![][image1] b ![boat](data:image/png;base64,${data}) c.\n\n[image1]: <data:image/png;base64,${data}>\n\nMore; base64.`
  for (const size of [4_099, 1_000_000]) {
    const parsed = await note(content, size)
    t.strictSame(problems(parsed), [])
    t.strictSame(
      records(parsed).flatMap(record => (record.kind === 'passage' ? record.text : [])),
      ['A  b boat c.\n\nMore; base64.'],
    )
  }
})
