import t from 'tap'
import { textPart } from '../../../routes/pages/documents/text-part.js'

const rows = Array.from({ length: 20_000 }, (_, at) => `${at},row ${at}`)
const table = { text: `id,name\n${rows.join('\n')}\n`, passages: passagesOf(rows.length, 2) }

function passagesOf(count: number, first: number) {
  return Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    line: at + first,
    entityKey: '',
  })) as never[]
}

t.test('a long table has parts, each with the names of its columns, and all rows in their order', t => {
  const read: string[] = []
  for (let part = 1, parts = 2; part <= parts; part++) {
    const shown = textPart(table, { kind: 'table', part }, () => false)
    parts = shown.parts
    const lines = shown.text.split('\n').filter(Boolean)
    t.equal(lines[0], 'id,name')
    read.push(...lines.slice(1))
    for (const { id, line } of shown.passages.slice(0, 3)) t.equal(lines[line - 1], rows[Number(id) - 1])
  }
  t.same(read, rows)
  t.end()
})

t.test('a passage leads to its part, and what is in no part to the nearest', t => {
  const { parts } = textPart(table, { kind: 'table' }, () => false)
  t.ok(parts > 1)
  for (const passage of [1, 10_000, 20_000]) {
    const { passages, text } = textPart(table, { kind: 'table', passage }, () => false)
    const place = passages.find(({ id }) => id === String(passage))
    t.equal(text.split('\n')[(place?.line ?? 0) - 1], rows[passage - 1])
  }
  t.equal(textPart(table, { kind: 'table', part: 99 }, () => false).part, parts)
  t.equal(textPart(table, { kind: 'table', passage: 99_999 }, () => false).part, 1)
  t.equal(textPart(table, { kind: 'markdown' }, () => false).parts, 1, 'a text of this length is one part')
  t.end()
})
