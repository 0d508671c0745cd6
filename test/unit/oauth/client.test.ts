import t from 'tap'
import {
  cleanName,
  isIssuedClientId,
  nameFor,
  newClientId,
  readRegistration,
} from '../../../domain/oauth/clients/client.js'
import { random } from '../../../platform/common/secrets.js'

const redirect_uris = ['https://a.example:8443/cb']
const key = Buffer.alloc(32, 1)

t.test('G4 a registration has redirect URIs, a name and the grant types that we know', async t => {
  const least = { redirectUris: redirect_uris, name: 'a.example:8443', grantTypes: ['authorization_code'] }
  t.strictSame(readRegistration({ redirect_uris }), least)
  t.strictSame(readRegistration({ redirect_uris, grant_types: null, client_name: 7, logo_uri: 'x' }), least)
  t.strictSame(
    readRegistration({ redirect_uris: [...redirect_uris, ...redirect_uris] }),
    least,
    'each URI once',
  )
  t.strictSame(
    readRegistration({
      redirect_uris: ['http://localhost/cb', ...redirect_uris],
      client_name: ' App ',
      grant_types: ['refresh_token', 'client_credentials', 'authorization_code'],
    }),
    {
      redirectUris: ['http://localhost/cb', ...redirect_uris],
      name: 'App',
      grantTypes: ['authorization_code', 'refresh_token'],
    },
  )
  const grantTypes = (grant_types: string[]) => readRegistration({ redirect_uris, grant_types }).grantTypes
  t.strictSame(grantTypes(['refresh_token']), ['refresh_token'])
  t.strictSame(grantTypes(['client_credentials']), ['authorization_code'])
  t.strictSame(grantTypes([]), ['authorization_code'])
})

t.test('G2, G5 what is no registration is refused, and the error names the entry', async t => {
  const refusal = (body: unknown) => {
    try {
      readRegistration(body)
      return 'accepted'
    } catch (error) {
      const { code, description } = error as { code: string; description: string }
      return `${code}: ${description}`
    }
  }
  for (const body of [null, 'x', 7, [], undefined])
    t.match(refusal(body), /^invalid_client_metadata: .*object/)
  for (const uris of [undefined, null, 'https://a.example/cb', {}, []])
    t.match(refusal({ redirect_uris: uris }), /^invalid_redirect_uri: .*must be a list/)
  t.match(refusal({ redirect_uris: [...redirect_uris, 7] }), /^invalid_redirect_uri: .*entry 2 must be a URI/)
  const many = (count: number) => Array.from({ length: count }, (_, i) => `https://a.example/${i}`)
  t.equal(readRegistration({ redirect_uris: many(10) }).redirectUris.length, 10)
  t.match(refusal({ redirect_uris: many(11) }), /^invalid_redirect_uri: .*at most 10/)
  for (const grant_types of ['refresh_token', {}, 7])
    t.match(refusal({ redirect_uris, grant_types }), /^invalid_client_metadata: grant_types/)
})

t.test('G5 a name is text of at most 100 characters, without invisible ones', async t => {
  const cases: [unknown, string][] = [
    [undefined, ''],
    [7, ''],
    ['  My\t App\n', 'My App'],
    ['a\u2066b\u2069c\u061cd\u200ee\u2028f\u0007g\u009fh', 'abcde fgh'],
    ['\u3164\uffa0\u115f\u2800', ''],
    ['\u{e0001}\u034f\ufe0f\u180b\ue000\uffff', ''],
    ['\u0489 Claude', 'Claude'],
    ['Tiếng Việt ภาษาไทย हिन्दी', 'Tiếng Việt ภาษาไทย हिन्दी'],
    ['a\u2800\u2800b', 'a b'],
    ['a\u202eb\u200bc\u0000d\ue000e\u3164f', 'abcdef'],
    ['a\u0301\u0302\u0303\u0304\u0305b', 'a\u0301\u0302\u0303\u0304b'],
    ['\u0301 \u0302App', 'App'],
    ['x'.repeat(101), 'x'.repeat(100)],
    ['😀'.repeat(101), '😀'.repeat(100)],
    [`${'x'.repeat(99)} y`, 'x'.repeat(99)],
    [`${'x'.repeat(98)}👩\u200d🚀`, `${'x'.repeat(98)}👩`],
  ]
  for (const [i, [given, shown]] of cases.entries()) t.equal(cleanName(given), shown, `name ${i}`)
})

t.test('without a name, a client is shown as where it is', async t => {
  t.equal(nameFor('http://127.0.0.1:1/cb'), 'App on this computer')
  t.equal(nameFor('https://a.example/cb'), 'a.example')
  t.equal(nameFor('com.example.app:/cb'), 'com.example.app:')
})

t.test('ids that we issued are recognised by their MAC', async t => {
  const id = newClientId('svc', key, random)
  t.match(id, /^svc_client_[0-9A-Za-z]{22}_[0-9A-Za-z]{22}$/)
  t.not(newClientId('svc', key, random), id)
  t.ok(isIssuedClientId(id, 'svc', key))
  t.notOk(isIssuedClientId(id, 'svc', Buffer.alloc(32, 2)), 'of another service')
  const [, , part, signature] = id.split('_')
  const others = [
    newClientId('other', key, random),
    `x${id}`,
    `${id}x`,
    `svc_client_${signature}_${part}`,
    `svc_client_${'0'.repeat(22)}_${signature}`,
    'svc_client_',
    '',
  ]
  for (const other of others) t.notOk(isIssuedClientId(other, 'svc', key), other)
})
