import { Readable } from 'node:stream'
import t from 'tap'
import { ReadingBytes } from '../../../domain/safes/imports/reading-bytes.js'

t.test(
  'a file that is still being opened when the reading ends is closed; nobody gets its bytes',
  async t => {
    let opened = (_stream: Readable) => {}
    const open = () => new Promise<Readable>(resolve => (opened = resolve))
    const files = { files: [{ path: 'a.md', open }], problems: [] }
    const bytes = new ReadingBytes({ source: 'notes', files })
    const answer = bytes.answer({ open: 0 })
    bytes.end()
    const stream = Readable.from([Buffer.from('text'), Buffer.from('more')])
    const closed = new Promise(resolve => stream.once('close', resolve))
    opened(stream)
    await closed
    await answer
    t.same(bytes.place, { file: 'a.md', line: 0 })
  },
)
