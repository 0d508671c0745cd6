import t from 'tap'
import { readAuthorization, readState } from '../../../domain/oauth/authorize/authorization-request.js'
import { errorUrl, successUrl } from '../../../domain/oauth/authorize/authorization-response.js'
import { OAuthError } from '../../../domain/oauth/error.js'

const BASE = 'https://safes.example'
const good = {
  response_type: 'code',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}
const read = (changes: Record<string, string | string[] | undefined>) =>
  readAuthorization({ ...good, ...changes }, BASE)

t.test('what a request asks for', async t => {
  const { code_challenge: codeChallenge } = good
  const least = { codeChallenge, scope: ['vault:read'], resource: 'user', resourceSent: false }
  t.strictSame(read({}), least)
  t.strictSame(read({ resource: BASE }), least, 'the origin names no endpoint')
  t.strictSame(
    read({ request: '', request_uri: '', prompt: 'login' }),
    least,
    'without a value it is not sent',
  )
  t.strictSame(read({ scope: 'vault:write', resource: `${BASE}/mcp/v1` }), {
    codeChallenge,
    scope: ['vault:write'],
    resource: 'user',
    resourceSent: true,
  })
  t.match(read({ resource: `${BASE}/mcp/v1/x` }), { resource: 'safe:x', resourceSent: true })
})

t.test('A6, A7, A8, A9, A10, A11 each fault of a request has its code (RFC 6749 §4.1.2.1)', async t => {
  type Value = string | string[] | undefined
  const cases = (name: string, values: Value[], code: string) =>
    values.map((value): [Record<string, Value>, string] => [{ [name]: value }, code])
  const faults: [Record<string, Value>, string][] = [
    [{ request: 'x' }, 'request_not_supported'],
    [{ request_uri: 'x' }, 'request_uri_not_supported'],
    ...cases('response_type', [undefined, ''], 'invalid_request'),
    ...cases('response_type', ['token', 'CODE', 'code token', 'none', 'code '], 'unsupported_response_type'),
    ...cases('code_challenge', [undefined, '', 'x'.repeat(42), 'x'.repeat(44)], 'invalid_request'),
    ...cases(
      'code_challenge',
      [...'=+/.~\n'].map(last => 'x'.repeat(42) + last),
      'invalid_request',
    ),
    ...cases('code_challenge_method', [undefined, '', 'plain', 's256', 'S512', 'S256 '], 'invalid_request'),
    ...['response_type', 'code_challenge', 'code_challenge_method', 'scope', 'unknown'].flatMap(name =>
      cases(name, [['S256', 'S256']], 'invalid_request'),
    ),
    ...cases('scope', ['openid', 'VAULT:READ', 'vault:read"', 'vault:reäd', 'vault:read\n'], 'invalid_scope'),
    ...cases('resource', ['mcp/v1', `${BASE}/mcp/v1#`, `${BASE}/mcp/v1?x=1`, 'urn:x'], 'invalid_target'),
    [{ resource: 'https://other.example/mcp/v1' }, 'invalid_target'],
    [{ resource: [`${BASE}/mcp/v1`, `${BASE}/mcp/v1`] }, 'invalid_target'],
    [{ scope: 'vault:read\0' }, 'invalid_request'],
  ]
  for (const [changes, code] of faults)
    t.throws(() => read(changes), { code, status: 400 }, JSON.stringify(changes))
})

t.test('state is read as it was sent', async t => {
  const cases: [string, string, string | null][] = [
    ['a=b&state=x%2Fy+z&c=d', 'x/y z', 'x%2Fy+z'],
    ['state=', '', ''],
    ['state', '', ''],
    ['mystate=1&state=2', '2', '2'],
    ['st%61te=a/b', 'a/b', 'a%2Fb'],
    ['state=<a#b>"', '<a#b>"', '%3Ca%23b%3E%22'],
    ["state=!$%&'()*+,-./:;=?@[]^_`{|}~", 'x', '!$%'],
    ["state=!$%'()*+,-./:;=?@[]^_`{|}~", 'x', "!$%'()*+,-./:;=?@[]^_`{|}~"],
    ['state=é', 'é', '%C3%A9'],
  ]
  for (const [query, state, expected] of cases) t.equal(readState(query, { state }), expected, query)
  t.equal(readState('', {}), null)
  t.equal(readState('state=a&state=b', { state: ['a', 'b'] }), null, 'repeated')
})

t.test('the answer goes to the redirect URI, with the issuer, and state as it was sent', async t => {
  const target = { redirectUri: 'https://a.example/cb?x=1', state: 'a%2Fb' }
  const stateless = { redirectUri: 'https://a.example/cb', state: null }
  const iss = 'iss=https%3A%2F%2Fsafes.example'
  t.equal(successUrl(target, 'c', BASE), `https://a.example/cb?x=1&code=c&state=a%2Fb&${iss}`)
  t.equal(successUrl(stateless, 'c', BASE), `https://a.example/cb?code=c&${iss}`)
  const denied = new OAuthError('access_denied', 'No & never.')
  const error = 'error=access_denied&error_description=No%20%26%20never.'
  t.equal(errorUrl(target, denied, BASE), `https://a.example/cb?x=1&${error}&state=a%2Fb&${iss}`)
  t.equal(errorUrl(stateless, denied, BASE), `https://a.example/cb?${error}&${iss}`)
})
