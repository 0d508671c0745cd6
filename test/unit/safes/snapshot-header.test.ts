import t from 'tap'
import {
  headerLength,
  LEAD_BYTES,
  readHeader,
  snapshotHeader,
} from '../../../domain/safes/index/snapshot-header.js'

t.test('the length of a header is read from the beginning of a snapshot, and of nothing else', async t => {
  const of = { safeId: 'a', contentHash: 'b' }
  const start = snapshotHeader(of, { layout: { byteLength: 0 }, bytes: new Uint8Array() } as never)
  t.match(readHeader(start, of), { ...of, layout: { byteLength: 0 }, digest: /^[\w-]{43}$/ })
  for (const other of [{ safeId: 'c' }, { contentHash: 'c' }])
    t.equal(readHeader(start, { ...of, ...other }), null, `of another ${Object.keys(other)}`)
  const lead = start.subarray(0, LEAD_BYTES)
  t.equal(headerLength(lead), start.length)
  t.equal(headerLength(lead.subarray(0, -1)), null, 'cut short')
  t.equal(headerLength(Buffer.concat([Buffer.from('x'), lead.subarray(1)])), null, 'another file')
  const long = (bytes: number) => {
    const changed = Buffer.from(lead)
    changed.writeUInt32LE(bytes, LEAD_BYTES - 4)
    return headerLength(changed)
  }
  t.ok(long(1024 * 1024), 'the longest')
  t.equal(long(1024 * 1024 + 1), null)
})
