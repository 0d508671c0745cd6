import t from 'tap'
import { committedImportsOf } from '../../../domain/safes/stores/committed-imports.sql.js'

const SAFE = {
  ...{
    version: 4,
    content_hash: 'aa',
    undone_version: 0,
    readable_from: 0,
    merged_layer: 0,
    merged_through: 0,
  },
  ...{ entities: 10, relations: 20, passages: 30, last: 3, last_version: null },
}
const NONE = { hidden: null, status: null, hash: null, report: null }
const report = JSON.stringify({ counts: { entities: 1, relations: 2, passages: 3 } })
const staged = { hidden: 3, status: 'staged', hash: 'bb', report }

t.test('an import that is about to be committed counts as if it were; others are hidden', async t => {
  const of = (row: Partial<typeof SAFE & typeof staged>, pending: number) => {
    const safe = { ...SAFE, ...NONE, ...row }
    return committedImportsOf(safe, [safe], pending)
  }
  const before = { entities: 10, relations: 20, passages: 30 }
  t.match(of({}, 0), { counts: before, contentHash: 'aa', ranges: [[1, 3]] })
  t.match(of(staged, 0), { counts: before, contentHash: 'aa', ranges: [[1, 2]] })
  t.match(of({ ...staged, status: 'reading' }, 3), { counts: before, ranges: [[1, 2]] })
  const after = of(staged, 3)
  t.match(after, { counts: { entities: 11, relations: 22, passages: 33 }, ranges: [[1, 3]] })
  t.not(after.contentHash, 'aa')
})
