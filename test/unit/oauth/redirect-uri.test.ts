import t from 'tap'
import {
  allowsRedirect,
  isLoopback,
  redirectHost,
  redirectUriProblem,
  withParameters,
} from '../../../domain/oauth/clients/redirect-uri.js'
import { loadConfig } from '../../../plugins/config.js'
import { words } from '../../words.js'

const patterns = loadConfig({}).knownRedirectUris
const allows = (uri: string, registered: string[] = []) => allowsRedirect(uri, registered, patterns)

t.test('G2 redirect URIs that may not be registered', async t => {
  const bad: unknown[] = [
    ...['', 'callback', '/cb', '//a.example/cb', 'https:', 'https://', 'https:///cb', 'a b'],
    ...[1, null, {}, `https://a.example/${'x'.repeat(2048)}`],
    ...words(`
      https://a.example/cb# https://a.example/cb#x https://u@a.example/cb https://u:p@a.example/cb
    `),
    ...['http://a.example/cb', 'http://localhost.evil/cb', 'http://127.0.0.1.evil.com/', 'http://0x7f.1/'],
    ...['http://localhost:99999/', 'http://localhost@evil.com/', 'HTTP://LOCALHOST/cb', 'http://127.1/'],
    ...words(`
      https://*.a.example/cb https://a.example/* https://a.example/../cb https://a.example/%2e%2E/cb
    `),
    ...['https://0x7f.1/cb', 'https://a.example:/cb', 'https://a%2eexample/cb', 'https://a.example\\@b/cb'],
    ...['https://a.example/cb?code=1', 'https://a.example/cb?x=1&state=', 'https://bücher.example/cb'],
    ...['javascript:alert(1)', 'JavaScript:alert(1)', ' javascript:alert(1)', 'java\tscript:alert(1)'],
    ...['data:text/html,x', 'file:///etc/passwd', 'blob:https://a.example/1', 'vbscript:x', 'about:blank'],
    ...['https://a.example:99999/cb', 'https://[::1/cb', 'https://[0::1]/cb', 'https://[::1]:/cb'],
    ...['com.example.app://user@host/cb', 'https://a.example/a/..', 'https://a.example/.%2e/cb'],
    ...['https://a.example/c\nb', 'https://a.example/\0', 'myapp://cb', 'com.example.app:', 'cursor:'],
  ]
  for (const uri of bad) t.type(redirectUriProblem(uri), 'string', JSON.stringify(uri))
  for (const uri of ['javascript:alert(1)', 'DATA:text/html,x'])
    t.match(redirectUriProblem(uri), /^must not use the scheme (javascript|data)$/, 'and it says why')
})

t.test('G3 redirect URIs that real clients register', async t => {
  const good = [
    ...words(`
    https://a.example/.well-known/cb https://a.example/v1./cb https://a.example/.../cb https://[::1]/cb
    https://[::1]:8443/cb cursor://anysphere.cursor-mcp/oauth/callback
    https://www.cursor.com/agents/mcp/oauth/callback http://localhost:8787/callback
    https://vscode.dev/redirect https://insiders.vscode.dev/redirect http://127.0.0.1/
    http://127.0.0.1:33418/ http://[::1]:9/cb?x=1 warp://mcp/oauth2callback com.example.app:/oauth https://a.example
    https://A.example/cb?x=1&y https://a.example:8443/cb https://xn--bcher-kva.example/
  `),
    `https://a.example/${'x'.repeat(2048 - 18)}`,
  ]
  for (const uri of good) {
    t.equal(redirectUriProblem(uri), null, uri)
    t.ok(allows(uri, [uri]), uri)
  }
})

t.test('G3 Warp appends the id of its server; settings add the schemes of other apps', async t => {
  const warp = 'warp://mcp/oauth2callback'
  t.ok(allows(`${warp}?server_id=65aebdca-613a-4b60-97d3-92548673bd03`, [warp]))
  for (const more of ['?server_id=a&x=1', '?server_id=', '/more'])
    t.notOk(allows(`${warp}${more}`, [warp]), more)
  const own = 'ownapp://callback'
  t.type(redirectUriProblem(own), 'string')
  const { knownRedirectUris } = loadConfig({ KNOWN_REDIRECT_URIS: own })
  t.equal(redirectUriProblem(own, knownRedirectUris), null)
  t.throws(() => loadConfig({ KNOWN_REDIRECT_URIS: 'javascript://x' }), /KNOWN_REDIRECT_URIS/)
})

t.test('A3 a match is byte-equal, except for the port and name of loopback (RFC 8252 §7.3)', async t => {
  const query = 'https://a.example/q?x=%41+b&y'
  const registered = ['https://a.example/cb', 'http://localhost:1/cb?x=1', 'com.example.app:/cb', query]
  for (const uri of ['http://127.0.0.1:2/cb?x=1', 'http://[::1]/cb?x=1']) t.ok(allows(uri, registered), uri)
  const others = [
    ...words(`
    https://a.example/cb/ https://a.example//cb https://a.example/cb? https://a.example/cb?x=1
    https://A.example/cb https://a.example:443/cb http://a.example/cb https://a.example/cB
    https://a.example/cb/../cb https://a.example/%63b https://a.example.evil.com/cb
    http://127.0.0.1:2/cb?x=2 http://127.0.0.1:2/cb?x=1&y com.example.app:/cb2 https://a.example/cb#
    https://a.example/cb#x https://u@a.example/cb https://localhost/cb http://u@localhost/cb
    http://0x7f.1/cb?x=1 http://127.1/cb?x=1 https://a.example/%2e%2e/cb javascript:alert(1)
    JavaScript:alert(1) data:text/html,x file:///etc/passwd vbscript:x /cb https://a.example/q?x=A+b&y
  `),
    'https://a.example/cb\r\n',
    'https://a.example/cb\r\nX-A: b',
    'https://a.example/cb\0',
    ' https://a.example/cb',
    'https://a.example/c\tb',
  ]
  for (const uri of others) t.notOk(allows(uri, registered), uri)
  t.notOk(
    allows('https://evil.example/cb', ['http://localhost']),
    'what is not loopback has no loopback path',
  )
})

t.test('A4 known callbacks are exact; any plain loopback path is known', async t => {
  const known = words(`
    https://claude.ai/api/mcp/auth_callback https://claude.com/api/mcp/auth_callback
    https://chatgpt.com/connector_platform_oauth_redirect https://chatgpt.com/connector/oauth/Ab-1_2
    http://localhost http://localhost/ http://127.0.0.1:65535/a/b http://[::1]:1/callback/
  `)
  for (const uri of known) t.ok(allows(uri), uri)
  const unknown = words(`
    https://claude.ai.evil.com/api/mcp/auth_callback https://claude.ai@evil.com/api/mcp/auth_callback
    https://claude.ai/api/mcp/auth_callback/ https://claude.ai/api/mcp/auth_callback?x=1
    https://claude.ai/api/mcp//auth_callback https://claude.ai/api/mcp/%2e%2e/mcp/auth_callback
    https://claude.ai/share/x https://chatgpt.com/connector/oauth/ https://chatgpt.com/g/x
    https://chatgpt.com/connector/oauth/a/b https://chatgpt.com/connector/oauth/a%2fb
    https://claudexai/api/mcp/auth_callback http://claude.ai/api/mcp/auth_callback http://localhost.evil/
    http://localhost/?x=1 http://localhost//cb http://localhost/../cb http://localhost/%2e%2e/cb
    http://0x7f.1/ http://127.0.0.1.evil.com/ http://localhost:65536/
  `)
  for (const uri of unknown) t.notOk(allows(uri), uri)
  t.notOk(allows(`http://localhost/${'x'.repeat(2048)}`), 'too long')
})

t.test('C7 the host that people are shown is the one of the URI', async t => {
  t.equal(redirectHost('https://a.example:8443/cb'), 'a.example:8443')
  t.equal(redirectHost('http://localhost:1/cb'), 'localhost:1')
  t.equal(redirectHost('cursor://anysphere.cursor-mcp/oauth'), 'cursor://anysphere.cursor-mcp')
  t.equal(redirectHost('com.example.app:/cb'), 'com.example.app:')
  t.equal(redirectHost('com.example.https://host/cb'), 'com.example.https://host')
  t.equal(redirectHost('https.example://host/cb'), 'https.example://host')
  t.ok(isLoopback('http://[::1]:5/'))
  t.notOk(isLoopback('https://localhost/'))
})

t.test('A14 the own query of a redirect URI stays byte for byte', async t => {
  const added = [['code', 'c']] as const
  t.equal(withParameters('https://a.example/cb', added), 'https://a.example/cb?code=c')
  t.equal(withParameters('https://a.example/cb?', added), 'https://a.example/cb?code=c')
  t.equal(withParameters('https://a.example/cb?x=%41+b', added), 'https://a.example/cb?x=%41+b&code=c')
  t.equal(withParameters('com.example.app:/cb', added), 'com.example.app:/cb?code=c')
})
