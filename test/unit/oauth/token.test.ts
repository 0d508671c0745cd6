import t from 'tap'
import { pairFor, tokenFormat } from '../../../domain/oauth/token/token.js'
import { hashSecret, mac, random } from '../../../platform/common/secrets.js'

const A = 'a'.repeat(22)
const B = 'b'.repeat(22)
const keyFor = (purpose: string) => mac(Buffer.alloc(32), purpose)
const newFormat = () => tokenFormat('svc', keyFor, random)

t.test('a refresh token of one connection is none of another', async t => {
  for (const [own, other] of [
    [A, B],
    [B, A],
  ] as const) {
    const format = newFormat()
    const { token } = format.newRefreshToken(own, 1)
    t.equal(format.readRefreshToken(token.replace(own, other)), null, 'with the key of its own in the cache')
    t.equal(newFormat().readRefreshToken(token.replace(own, other)), null, 'in another process')
    t.match(newFormat().readRefreshToken(token), { connectionId: own, generation: 1 })
  }
})

t.test('the MAC of a refresh token covers its generation and its secret', async t => {
  const format = newFormat()
  const { token, hash } = format.newRefreshToken(A, 7)
  const secret = token.split('_')[4] as string
  t.strictSame(format.readRefreshToken(token), { connectionId: A, generation: 7, hash })
  t.equal(hash, hashSecret(secret), 'the hash is that of the secret')
  t.equal(format.readRefreshToken(token.replace('_7_', '_8_')), null)
  t.equal(format.readRefreshToken(token.replace(secret, 'x'.repeat(43))), null)
  t.equal(tokenFormat('svc', () => Buffer.alloc(32), random).readRefreshToken(token), null, 'of another key')
})

t.test('each kind of token is read as that kind only, and as a whole', async t => {
  const format = newFormat()
  const { token: code, hash } = format.newCode(A)
  const { token: access } = format.newAccessToken(A)
  const { token: refresh } = format.newRefreshToken(A, 1)
  t.strictSame(format.readCode(code), { connectionId: A, hash })
  t.match(format.readAccessToken(access), { connectionId: A })
  for (const text of [access, refresh, `x${code}`, `${code}x`, `${code}\n`, `other${code.slice(3)}`])
    t.equal(format.readCode(text), null, text)
  for (const text of [code, refresh, `x${access}`, `${access}x`]) t.equal(format.readAccessToken(text), null)
  for (const text of [code, access, `x${refresh}`, `${refresh}x`, refresh.replace('_1_', '_01_')])
    t.equal(format.readRefreshToken(text), null, text)
})

t.test('a pair is derived from the token it replaces and a seed, and from nothing else', async t => {
  const from = { old: 'old', connectionId: A, generation: 2 }
  const pair = pairFor(newFormat(), from, 'seed')
  t.strictSame(pairFor(newFormat(), from, 'seed'), pair, 'the same in another process')
  t.match(newFormat().readAccessToken(pair.access.token), { connectionId: A, hash: pair.access.hash })
  t.match(newFormat().readRefreshToken(pair.refresh.token), { generation: 2, hash: pair.refresh.hash })
  const others = [
    pairFor(newFormat(), { ...from, old: 'other' }, 'seed'),
    pairFor(newFormat(), from, 'other'),
  ]
  const tokens = [pair, ...others].flatMap(({ access, refresh }) => [
    access.token.slice(30),
    refresh.token.slice(32, 75),
  ])
  t.equal(new Set(tokens).size, 6)
})

t.test('A15 a code draws 256 random bits, and every one of them shows', async t => {
  const drawn: number[] = []
  const codeFrom = (bytes: Buffer) => {
    const random = (count: number) => {
      drawn.push(count)
      return bytes
    }
    return tokenFormat('svc', () => Buffer.alloc(32), random).newCode('c'.repeat(22)).token
  }
  const codes = new Set([codeFrom(Buffer.alloc(32))])
  for (let bit = 0; bit < 256; bit++) {
    const bytes = Buffer.alloc(32)
    bytes.writeUInt8(1 << (bit % 8), bit >> 3)
    codes.add(codeFrom(bytes))
  }
  t.equal(codes.size, 257)
  for (const code of codes) t.match(code, /^svc_ac_[0-9A-Za-z]{22}_[0-9A-Za-z]{43}$/)
  t.ok(drawn.every(count => count === 32))
})
