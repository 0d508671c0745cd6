import t from 'tap'
import { requestSeal } from '../../../domain/oauth/authorize/authorization-request.js'
import { random } from '../../../platform/common/secrets.js'

const request = {
  clientId: 'client',
  clientName: 'Client',
  clientVerified: false,
  redirectUri: 'https://a.example/cb',
  state: 'state-in-plain-sight',
  codeChallenge: 'x'.repeat(43),
  scope: ['vault:read'],
  resource: 'user' as const,
  resourceSent: false,
  expiresAt: 1,
}

t.test('C3 a sealed request opens with its key, in its browser, byte for byte, and no other', async t => {
  const seal = requestSeal(Buffer.alloc(32, 1), random)
  const sealed = seal.seal(request, 'browser')
  t.match(seal.open(sealed, ['another', 'browser']), request)
  t.not(sealed, seal.seal(request, 'browser'), 'never twice the same')
  t.not(seal.open(sealed, ['browser'])?.id, seal.open(seal.seal(request, 'browser'), ['browser'])?.id)
  for (const plain of ['state-in', 'a.example', 'client', 'xxxx'])
    t.notMatch(Buffer.from(sealed, 'base64url').toString('latin1'), plain)

  t.equal(seal.open(sealed, []), null)
  t.equal(seal.open(sealed, ['another']), null)
  t.equal(requestSeal(Buffer.alloc(32, 2), random).open(sealed, ['browser']), null)
  const bytes = Buffer.from(sealed, 'base64url')
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes)
    changed[i] = (changed[i] ?? 0) ^ 1
    if (seal.open(changed.toString('base64url'), ['browser']) !== null) t.fail(`byte ${i} was changed`)
  }
  for (const bad of [
    '',
    'x',
    `${sealed}=`,
    `${sealed}A`,
    sealed.slice(0, -4),
    `${sealed} `,
    'A'.repeat(20_000),
    'AAAA',
    Buffer.alloc(44).toString('base64url'),
  ])
    t.equal(seal.open(bad, ['browser']), null)
})

t.test('of the texts that stand for the same bytes, one opens', async t => {
  const seal = requestSeal(Buffer.alloc(32, 1), random)
  let others = 0
  for (const state of ['', '1', '12', '123']) {
    const sealed = seal.seal({ ...request, state }, 'browser')
    const bytes = Buffer.from(sealed, 'base64url')
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      const other = sealed.slice(0, -1) + last
      if (other === sealed || !Buffer.from(other, 'base64url').equals(bytes)) continue
      others++
      t.equal(seal.open(other, ['browser']), null)
    }
  }
  t.ok(others > 0)
})
