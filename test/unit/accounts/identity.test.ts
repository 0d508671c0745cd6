import t from 'tap'
import { identityOf, isAllowed } from '../../../domain/accounts/openid/identity.js'

const read = (...sources: Record<string, unknown>[]) => identityOf('https://id.example', 's', sources)

t.test('a verified address and groups come from one source each (OpenID Connect Core §5.1)', async t => {
  const ann = { email: ' Ann@Example.org', email_verified: true }
  t.strictSame(read({ ...ann, groups: ['staff', 7] }), {
    issuer: 'https://id.example',
    subject: 's',
    email: 'ann@example.org',
    groups: ['staff'],
  })
  t.strictSame(read({ groups: ['a'] }, { ...ann, groups: ['b'] }), {
    ...read(ann),
    groups: ['a'],
  })
  const unverified = [
    {},
    { email: 'ann@example.org' },
    { ...ann, email_verified: 'true' },
    { ...ann, email: 7 },
  ]
  for (const claims of unverified) t.equal(read(claims).email, null, JSON.stringify(claims))
  t.equal(read({ email: 'eve@example.org' }, ann).email, null, 'one claim does not verify another address')
  t.strictSame(read({ groups: 'staff' }).groups, [])
})

t.test('an address of a listed domain and a listed group may sign in through the provider', async t => {
  const ann = { issuer: '', subject: '', email: 'ann@odd@example.org', groups: ['a', 'b'] }
  const cases: [domains: string[], groups: string[], expected: boolean][] = [
    [[], [], true],
    [['other.example', 'example.org'], [], true],
    [['odd@example.org'], [], false],
    [['other.example'], ['a'], false],
    [[], ['c', 'b'], true],
    [[], ['c'], false],
    [['example.org'], ['c'], false],
  ]
  for (const [domains, groups, expected] of cases)
    t.equal(isAllowed(ann, { domains, groups }), expected, `${domains}; ${groups}`)
  const unknown = { ...ann, email: null, groups: [] }
  t.equal(isAllowed(unknown, { domains: [], groups: [] }), true)
  t.equal(isAllowed(unknown, { domains: ['example.org'], groups: [] }), false)
})
