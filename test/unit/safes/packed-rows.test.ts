import t from 'tap'
import { packed, unpacked } from '../../../domain/safes/imports/packed-rows.js'
import { emptyBatch, type RowBatch } from '../../../domain/safes/stores/types.js'

t.test('rows are the same after their way between two processes', async t => {
  const places = { source: null, seq: null, time: null, documentId: null, line: null }
  const relation = { subjectKey: 'ada', predicate: 'knows', objectKey: 'bo' }
  const document = { path: 'a.md', title: 'a', kind: 'markdown' as const, kept: 'whole' as const }
  const batch: RowBatch = {
    entities: [
      { key: 'ada', name: 'Ada', type: null, named: false },
      { key: '東京', name: 'Tokyo', type: 'city', named: true },
    ],
    aliases: [{ entityKey: 'ada', alias: 'A.' }],
    identities: [{ key: 'ada', sameAs: 'bo' }],
    passages: [
      { id: 7, entityKey: 'ada', title: 'Ada', text: 'Two\nlines\t"quoted".', ...places },
      {
        id: 8,
        entityKey: 'bo',
        title: 'Bo',
        text: '🙂',
        source: 'b',
        seq: 0,
        time: -1,
        documentId: 3,
        line: 9,
      },
    ],
    relations: [
      { id: 4, ...relation },
      { id: 5, ...relation, validFrom: '2019', validTo: null, learnedOn: null },
      { id: 6, ...relation, validFrom: null, validTo: null, learnedOn: '2020-05' },
    ],
    documents: [
      { id: 1, ...document, size: 1, textBytes: 1, parts: 1, time: null, tags: ['x'], contentHash: 'h' },
    ],
    documentTexts: [{ documentId: 1, part: 0, bytes: Buffer.from('text') }],
  }
  for (const rows of [batch, emptyBatch()]) t.strictSame(unpacked(packed(rows)), rows)
  const [bad] = batch.relations
  t.throws(
    () => unpacked(packed({ ...emptyBatch(), relations: bad ? [{ ...bad, predicate: 'a\0b' }] : [] })),
    /NUL/,
  )
})
