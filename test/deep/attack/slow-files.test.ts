import { Readable } from 'node:stream'
import t from 'tap'
import { build } from '../../helper.js'
import { pdf } from '../../pdf.js'

const map =
  'begincmap 1 begincodespacerange <00000000> <ffffffff> endcodespacerange 1 beginbfrange <00000000> <00fffffe> <0041> endbfrange endcmap'

/** A PDF of some hundred bytes with the Unicode values of sixteen million glyphs. */
const wideMap = pdf([
  '<</Type /Catalog /Pages 2 0 R>>',
  '<</Type /Pages /Kids [3 0 R] /Count 1>>',
  '<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>>',
  ['', Buffer.from('BT /F 9 Tf 50 700 Td (text) Tj ET')],
  '<</Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R>>',
  '<</Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>>>>',
  ['', Buffer.from(map)],
])

/** Files of one account, if the note waits for all of them. */
const MOST_SLOW = 20

t.test('four accounts with slow files do not keep a note of a fifth from being read', async t => {
  const app = await build(t)
  const accounts = ['a', 'b', 'c', 'd', 'ann']
  const row = { password_hash: '', role: 'member' as const, session_epoch: 0, created_at: 0 }
  await app.database.write(trx =>
    trx
      .insertInto('accounts')
      .values(accounts.map(id => ({ ...row, id, email: `${id}@example.com` })))
      .execute(),
  )
  const ended: string[] = []
  const read = async (account: string, source: string, content: Buffer | string) => {
    const { id } = await app.safes.create(account, 'Safe')
    const bytes = Readable.from([Buffer.from(content)])
    const { status } = await app.safes.imports.add(account, id, { source, bytes, commit: true })
    ended.push(`${source} ${status}`)
  }
  let isRead = false
  const slow = accounts.slice(0, 4).map(async account => {
    for (let file = 0; file < MOST_SLOW && !isRead; file++) await read(account, `${file}.pdf`, wideMap)
  })
  await read('ann', 'note.md', 'Ada met [[Bob]].')
  isRead = true
  t.ok(ended.length < 4 * MOST_SLOW, `${ended.join(', ')}: the others had more to read`)
  t.equal(ended.at(-1), 'note.md committed')
  await Promise.all(slow)
  t.notMatch(ended.join(), /pdf committed/, 'each of theirs is refused')
})
