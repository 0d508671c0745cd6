import { inflateRawSync } from 'node:zlib'
import t from 'tap'
import { DocumentWriter } from '../../../domain/safes/imports/document-writer.js'

for (const { keepsBytes, text, line } of [
  { keepsBytes: true, text: 'sent\n', line: null },
  { keepsBytes: false, text: 'read\nhere\n', line: 3 },
])
  t.test(`a document is ${keepsBytes ? 'kept as it came' : 'what its reader says, in lines'}`, async t => {
    const writer = new DocumentWriter()
    writer.write('outside a file')
    const bytes = (async function* () {
      yield Buffer.from('sent\n')
    })()
    const format = { id: 'markdown', keepsBytes, hasParts: false }
    for await (const _ of writer.file(format, 'a.md', bytes)) writer.write('read\nhere\n')
    t.equal(writer.line, line)
    writer.end()
    const { documents, documentTexts } = writer.take()
    t.match(documents, [{ path: 'a.md', size: 5, textBytes: text.length, kept: 'whole' }])
    t.same(
      documentTexts.map(({ bytes }) => inflateRawSync(bytes).toString()),
      [text],
    )
  })

t.test('documents in a file that have one name are numbered, files before their extension', async t => {
  const writer = new DocumentWriter()
  const bytes = (async function* () {
    yield Buffer.from('From')
  })()
  for await (const _ of writer.file({ id: 'mbox', keepsBytes: false, hasParts: true }, 'In.mbox', bytes))
    for (const [name, format] of [
      ['meuse.grid'],
      ['a.pdf', 'pdf'],
      ['meuse.grid'],
      ['a.pdf', 'pdf'],
    ] as const) {
      writer.begin(name, format)
      writer.write('text')
    }
  writer.end()
  t.strictSame(
    writer.take().documents.map(({ path }) => path),
    ['In.mbox/meuse.grid', 'In.mbox/a.pdf', 'In.mbox/meuse.grid (2)', 'In.mbox/a (2).pdf'],
  )
})
