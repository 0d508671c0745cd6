import t from 'tap'
import { challengeOf, isChallenge } from '../../../oauth/authorize/pkce.js'
import type { Grant, Resource } from '../../../oauth/connections/access.js'
import { endpointUrl, parseResource, permits } from '../../../oauth/resource.js'
import { readRefreshScope, readScope } from '../../../oauth/scope.js'

const B = 'https://safes.example'

t.test('T9 verifier and challenge (RFC 7636 §4, appendix B)', async t => {
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  t.equal(challengeOf(verifier), 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
  t.type(challengeOf('~'.repeat(128)), 'string')
  for (const bad of ['', 'a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(42)}+`, `${'a'.repeat(43)}\n`]) {
    t.equal(challengeOf(bad), null)
  }
  t.ok(isChallenge('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'))
  for (const bad of ['', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}=`]) t.notOk(isChallenge(bad))
})

t.test('A9 scopes: default, unknown and malformed ones', async t => {
  const cases: [string | undefined, string[]][] = [
    [undefined, ['vault:read']],
    ['', ['vault:read']],
    ['vault:write vault:read vault:read', ['vault:read', 'vault:write']],
    ['vault:write', ['vault:write']],
    ['openid  vault:read offline_access', ['vault:read']],
  ]
  for (const [asked, granted] of cases) t.strictSame(readScope(asked), granted, asked ?? 'absent')
  for (const bad of ['openid', 'VAULT:READ', 'vault:read\t', 'vault:read"', 'vault:read\\', 'vault:reäd']) {
    t.throws(() => readScope(bad), { code: 'invalid_scope' }, bad)
  }
  t.equal(readRefreshScope(undefined), null)
  t.strictSame(readRefreshScope('vault:read openid'), ['vault:read', 'openid'])
})

t.test('A10, N15 resource', async t => {
  const cases: [string | undefined, string][] = [
    [undefined, 'none'],
    ['', 'none'],
    [B, 'none'],
    [`${B}/`, 'none'],
    [`${B}/mcp/v1`, 'user'],
    [`${B}/mcp/v1/`, 'user'],
    ['HTTPS://SAFES.EXAMPLE:443/mcp/v1', 'user'],
    [`${B}/mcp/v1/abc`, 'safe:abc'],
    [`${B}/mcp/v1/abc/`, 'safe:abc'],
    ['https://old.example/mcp/v1', 'foreign'],
    ['http://safes.example/mcp/v1', 'foreign'],
    ['https://safes.example:8443/mcp/v1/abc', 'foreign'],
  ]
  const unknown = [
    ...[
      '/mcp/v1',
      'mcp',
      'https://other.example',
      `${B}/mcp`,
      `${B}/mcp/v10`,
      `${B}/mcp/v1//`,
      `${B}//mcp/v1`,
    ],
    ...[
      `${B}/mcp/v1#`,
      `${B}/mcp/v1?x`,
      `${B}/mcp/v1/a/b`,
      `${B}/mcp/v1/..`,
      `${B}/mcp/v1/%61`,
      `${B}/MCP/v1`,
    ],
    ...[`${B}/mcp/v1/${'a'.repeat(65)}`, 'https://u@safes.example/mcp/v1', ` ${B}/mcp/v1`, `${B}\\mcp/v1`],
    ...[`${B}/mcp/v1/server-card`, `${B}/mcp/v1/server-card/`, 'https://old.example/mcp/v1/server-card'],
    ...['https:safes.example/mcp/v1', 'null://x', `${B}/mcp/v1\n`],
  ]
  for (const text of unknown) cases.push([text, 'unknown'])
  for (const [text, named] of cases) t.equal(parseResource(text, B), named, JSON.stringify(text))
})

t.test('DESIGN §5.2 which connection opens which endpoint', async t => {
  const grant = (resource: Resource, resourceSent: boolean, chosenSafeId: string | null = null) =>
    ({ resource, resourceSent, chosenSafeId }) as Grant
  const cases: [Grant, Resource, boolean][] = [
    [grant('user', true), 'user', true],
    [grant('user', false, 'a'), 'user', true],
    [grant('user', false, 'a'), 'safe:a', true],
    [grant('user', true, 'a'), 'safe:a', false],
    [grant('user', false, 'a'), 'safe:b', false],
    [grant('user', false), 'safe:null', false],
    [grant('safe:a', true, 'a'), 'safe:a', true],
    [grant('safe:a', true, 'a'), 'safe:b', false],
    [grant('safe:a', true, 'a'), 'user', false],
  ]
  for (const [connection, endpoint, expected] of cases) t.equal(permits(connection, endpoint), expected)
  t.equal(endpointUrl(B, 'user'), `${B}/mcp/v1`)
  t.equal(endpointUrl(B, 'safe:a'), `${B}/mcp/v1/a`)
})
