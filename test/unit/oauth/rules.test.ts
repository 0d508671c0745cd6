import t from 'tap'
import { challengeOf, isChallenge } from '../../../domain/oauth/authorize/pkce.js'
import type { Grant, Resource } from '../../../domain/oauth/connections/access.js'
import { rejectRepeated, required, single } from '../../../domain/oauth/parameters.js'
import {
  endpointUrl,
  parseResource,
  permits,
  readRefreshResource,
  readResource,
} from '../../../domain/oauth/resource.js'
import { readRefreshScope, readScope } from '../../../domain/oauth/scope.js'
import { words } from '../../words.js'

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
  for (const bad of [
    'openid',
    'VAULT:READ',
    'vault:read\t',
    'vault:read"',
    'vault:read\\',
    'vault:reäd',
    'vault:read a"b',
  ]) {
    t.throws(() => readScope(bad), { code: 'invalid_scope' }, bad)
  }
  t.throws(() => readRefreshScope('a"b'), { code: 'invalid_scope' })
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
    ...words(`
    /mcp/v1 mcp https://other.example ${B}/mcp ${B}/mcp/v10 ${B}/mcp/v1// ${B}//mcp/v1 ${B}/mcp/v1#
    ${B}/mcp/v1?x ${B}/mcp/v1/a/b ${B}/mcp/v1/.. ${B}/mcp/v1/%61 ${B}/MCP/v1 https://u@safes.example/mcp/v1
    ${B}/mcp/v1/server-card ${B}/mcp/v1/server-card/ https://old.example/mcp/v1/server-card
    https://other.example/elsewhere https://[/mcp/v1 https:safes.example/mcp/v1 null://x
  `),
    `${B}/mcp/v1/${'a'.repeat(65)}`,
    ` ${B}/mcp/v1`,
    `${B}\\mcp/v1`,
    `${B}/mcp/v1\n`,
  ]
  for (const text of unknown) cases.push([text, 'unknown'])
  for (const [text, named] of cases) t.equal(parseResource(text, B), named, JSON.stringify(text))
})

t.test('a resource that is no endpoint of ours is refused, on a refresh with a code of its own', async t => {
  const invalidTarget = { code: 'invalid_target', status: 400 }
  for (const text of [`${B}/mcp`, 'https://other.example/elsewhere', 'nonsense']) {
    t.throws(() => readResource(text, B), invalidTarget, text)
    t.throws(() => readRefreshResource(text, B), invalidTarget, text)
  }
  t.throws(() => readResource('https://old.example/mcp/v1', B), invalidTarget)
  t.throws(() => readRefreshResource('https://old.example/mcp/v1', B), { code: 'invalid_grant' })
  for (const read of [readResource, readRefreshResource]) {
    t.equal(read(undefined, B), null)
    t.equal(read(B, B), null)
    t.equal(read(`${B}/mcp/v1`, B), 'user')
    t.equal(read(`${B}/mcp/v1/a`, B), 'safe:a')
  }
})

t.test('a parameter is one text, without NUL', async t => {
  const parameters = { code: 'x', empty: '', twice: ['x', 'x'], nul: 'x\0' }
  t.equal(single(parameters, 'code'), 'x')
  t.equal(single(parameters, 'absent'), undefined)
  t.equal(required(parameters, 'code'), 'x')
  const refused = (name: string) => ({ code: 'invalid_request', description: new RegExp(`^${name} `) })
  for (const name of ['twice', 'nul']) t.throws(() => single(parameters, name), refused(name))
  for (const name of ['absent', 'empty', 'twice', 'nul'])
    t.throws(() => required(parameters, name), refused(name))
  rejectRepeated({ code: 'x', absent: undefined })
  t.throws(() => rejectRepeated({ code: 'x', twice: ['x', 'x'] }), { code: 'invalid_request' })
  t.throws(() => rejectRepeated({ resource: ['x', 'x'] }), { code: 'invalid_target' })
})

t.test('DESIGN §5.2 which connection opens which endpoint', async t => {
  const grant = (resource: Resource, resourceSent: boolean, ...chosenSafeIds: string[]) =>
    ({ resource, resourceSent, chosenSafeIds }) as Partial<Grant> as Grant
  const cases: [Grant, Resource, boolean][] = [
    [grant('user', true), 'user', true],
    [grant('user', false, 'a'), 'user', true],
    [grant('user', false, 'a'), 'safe:a', true],
    [grant('user', true, 'a'), 'safe:a', false],
    [grant('user', false, 'a'), 'safe:b', false],
    [grant('user', false, 'a', 'b'), 'safe:a', false],
    [grant('user', false, 'a', 'b'), 'user', true],
    [grant('user', false), 'safe:null', false],
    [grant('safe:a', true, 'a'), 'safe:a', true],
    [grant('safe:a', true, 'a'), 'safe:b', false],
    [grant('safe:a', false, 'b'), 'safe:b', false],
    [grant('safe:a', true, 'a'), 'user', false],
  ]
  for (const [connection, endpoint, expected] of cases) t.equal(permits(connection, endpoint), expected)
  t.equal(endpointUrl(B, 'user'), `${B}/mcp/v1`)
  t.equal(endpointUrl(B, 'safe:a'), `${B}/mcp/v1/a`)
})
