import { deflateRawSync } from 'node:zlib'
import t from 'tap'
import { headOf } from '../../../engine/formats/shared/file-head.js'
import { zip } from '../../zip.js'

const part = (name: string, content = 'x'.repeat(60), more: object = {}) => ({ name, content, ...more })
const partsOf = (bytes: Buffer) => headOf('a/b.zip', bytes).parts

t.test('the beginning of a zip shows the names of its parts (APPNOTE.TXT §4.3.7)', async t => {
  const two = zip([part('a.txt'), part('b/c.txt')])
  const second = two.indexOf('PK\x03\x04', 4, 'latin1')
  const cases: [what: string, bytes: Buffer, parts: string[]][] = [
    ['whole', two, ['a.txt', 'b/c.txt']],
    ['cut in the second header', two.subarray(0, second + 29), ['a.txt']],
    ['cut behind it', two.subarray(0, second + 30), ['a.txt', '']],
    ['cut in the first', two.subarray(0, 29), []],
    ['not at the beginning', Buffer.concat([Buffer.from('x'), two]), []],
    ['none', Buffer.from('PK and more text that is longer than thirty characters'), []],
    ['empty', Buffer.alloc(0), []],
    ['sizes behind the parts', zip([part('a', 'x', { flags: 8 }), part('b', 'y', { flags: 8 })]), ['a', 'b']],
    [
      'space between',
      Buffer.concat([two.subarray(0, second), Buffer.from('  '), two.subarray(second)]),
      ['a.txt', 'b/c.txt'],
    ],
  ]
  for (const [what, bytes, parts] of cases) t.strictSame(partsOf(bytes), parts, what)
  const many = zip(Array.from({ length: 250 }, (_, at) => part(`${at}`)))
  t.equal(partsOf(many).length, 200)
})

t.test('a zip says of itself what it is, packed or not, as far as the bytes go', async t => {
  const declares = (...parts: Parameters<typeof zip>[0]) => headOf('a', zip(parts)).declares
  t.equal(declares(part('mimetype', 'application/epub+zip')), 'application/epub+zip')
  t.equal(declares(part('x'), part('[Content_Types].xml', '<Types/>')), '<Types/>')
  t.equal(declares(part('mimetype', 'one'), part('[Content_Types].xml', 'two')), 'one', 'the first')
  t.equal(declares(part('mimetypes', 'x')), '')
  const stored = zip([part('mimetype', 'abc', { method: 0 })])
  t.equal(headOf('a', stored).declares, deflateRawSync('abc').toString('latin1'), 'as it stands there')
  const long = zip([part('mimetype', Array.from({ length: 999 }, (_, at) => `${at} `).join(''))])
  t.match(headOf('a', long.subarray(0, 300)).declares, /^0 1 2 3 /)
})

t.test('a text begins without mark and space, in UTF-16 as in UTF-8', async t => {
  const cases: [bytes: Buffer, text: string][] = [
    [Buffer.from('\ufeff \n<p>'), '<p>'],
    [Buffer.from('\ufeff{"é"', 'utf16le'), '{"é"'],
    [Buffer.from('\ufeff{"é"', 'utf16le').swap16(), '{"é"'],
    [Buffer.concat([Buffer.from('\ufeffab', 'utf16le'), Buffer.from('c')]), 'ab'],
    [Buffer.from('x'.repeat(3_000)), 'x'.repeat(1_000)],
  ]
  for (const [bytes, text] of cases) t.equal(headOf('a', bytes).text, text, text.slice(0, 9))
  const { name, extension } = headOf('folder.d/Name.TAR.Gz', Buffer.from(''))
  t.strictSame([name, extension], ['Name.TAR.Gz', 'gz'])
  t.equal(headOf('README', Buffer.from('x')).extension, '')
  t.equal(headOf('a', Buffer.alloc(70_000)).bytes.length, 65_536)
})
