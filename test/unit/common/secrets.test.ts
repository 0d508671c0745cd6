import { createHmac, randomBytes } from 'node:crypto'
import t from 'tap'
import { base62, mac } from '../../../platform/common/secrets.js'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

t.test('bytes as base62 are one number, and of one length', async t => {
  for (const [size, length] of [
    [16, 22],
    [32, 43],
  ] as const) {
    const cases = [Buffer.alloc(size), Buffer.alloc(size, 0xff), Buffer.from([...Buffer.alloc(size - 1), 1])]
    for (const bytes of [...cases, ...Array.from({ length: 50 }, () => randomBytes(size))]) {
      const text = base62(bytes)
      const value = [...text].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n)
      t.equal(text.length, length)
      t.equal(value, BigInt(`0x${bytes.toString('hex')}`))
    }
  }
})

t.test('a MAC is HMAC-SHA-256, whatever its key (RFC 2104)', async t => {
  for (const key of [Buffer.alloc(0), randomBytes(32), randomBytes(100)])
    t.same(mac(key, 'ключ'), createHmac('sha256', key).update('ключ').digest())
})
