import t from 'tap'
import { type Client, isDocumentId, mayRedirectTo } from '../../../domain/oauth/clients/client.js'
import {
  documentIdProblem,
  isVerified,
  readDocument,
  readKnownClients,
} from '../../../domain/oauth/clients/client-document.js'
import { loadConfig } from '../../../plugins/config.js'
import { words } from '../../words.js'

const ID = 'https://app.example.com/oauth/client.json'
const patterns = loadConfig({}).knownRedirectUris

const read = (changes: object, id = ID) =>
  readDocument(id, { client_id: id, redirect_uris: ['https://app.example.com/cb'], ...changes }, 5)

t.test('D1 which ids are addresses of documents', async t => {
  const good = [
    ...[ID, 'https://app.example.com/x', 'https://app.example.com:8443/x', 'https://app.example.com/x/'],
    ...['https://xn--bcher-kva.example.com/x', 'https://a.b-c.co/x?y=z', 'https://a.example.com/%7Ex/a.b..c'],
    ...['https://1.example.com/x', `https://a.example.com/${'x'.repeat(2048 - 22)}`],
    ...[...readKnownClients(0).keys()],
  ]
  for (const id of good) t.equal(documentIdProblem(id), null, id.slice(0, 80))
  const refused: Record<string, string[]> = {
    'another scheme, or none': [
      ...words(`
      http://app.example.com/x HTTPS://app.example.com/x https:app.example.com/x app.example.com/x
      ftp://app.example.com/x file:///etc/passwd https:/app.example.com/x data:application/json,{}
      wss://app.example.com/x //app.example.com/x https:// https:///x
    `),
      'https:\\\\app.example.com\\x',
      '',
    ],
    'no path': words(`
      https://app.example.com https://app.example.com/ https://app.example.com?x https://app.example.com/?x
    `),
    'a user name': [
      'https://u@app.example.com/x',
      'https://u:p@app.example.com/x',
      'https://@app.example.com/x',
    ],
    'a look-alike': ['https://claude.ai@evil.example.com/x', 'https://claude.ai:x@evil.example.com/x'],
    'a fragment': [`${ID}#`, `${ID}#x`, 'https://app.example.com/#/x'],
    'dot segments': words(`
      https://app.example.com/a/../x https://app.example.com/./x https://app.example.com/x/..
      https://app.example.com/%2e%2e/x https://app.example.com/.%2E/x https://app.example.com/a/%2e
      https://app.example.com/..%2fx https://app.example.com/a%2f.%2fx https://app.example.com/a%5c..%5cx
      https://app.example.com/%2f..%2fx
    `),
    'not the string it means': [
      ...words(`
      https://app.example.com:443/x https://APP.example.com/x https://app%2eexample.com/x
      https://bücher.example.com/x https://app。example。com/x https://app.example.com:08443/x
      https://app.example.com/a|b https://app.example.com/%zz
    `),
      'https://app.example.com\\x',
      ' https://app.example.com/x',
      'https://app.example.com/x ',
      'https://app.example.com/x\n',
      'https://app.exam\tple.com/x',
      'https://app.example.com/\0',
      'https://app.example.com/\u202ex',
    ],
    'an address instead of a name': words(`
      https://127.0.0.1/x https://8.8.8.8/x https://127.1/x https://2130706433/x https://0x7f000001/x
      https://0x7f.1/x https://0177.0.0.1/x https://017700000001/x https://127.0.0.1./x https://[::1]/x
      https://[::ffff:127.0.0.1]/x https://[2606:4700::1]/x https://[fe80::1%25eth0]/x https://1.2.3.4.5/x
    `),
    'a name of nobody’s, or everybody’s': words(`
      https://localhost/x https://a.localhost/x https://localhost:3000/x https://printer.local/x
      https://router.home.arpa/x https://metadata.google.internal/x https://instance-data.ec2.internal/x
      https://a.test/x https://a.invalid/x https://a.example/x https://1.0.0.127.in-addr.arpa/x
      https://a.onion/x https://a.alt/x https://a.lan/x https://a.corp/x https://intranet/x
      https://metadata/x
    `),
    'a name that certificates do not have': [
      ...words(`
      https://app.example.com./x https://a..example.com/x https://-a.example.com/x https://a-.example.com/x
      https://a_b.example.com/x https://*.example.com/x https://app.example.com:99999/x
      https://app.example.com:x/x
    `),
      `https://${'a'.repeat(64)}.example.com/x`,
      `https://${'a.'.repeat(126)}com/x`,
    ],
    'too long': [`https://a.example.com/${'x'.repeat(2048 - 21)}`],
  }
  for (const [what, ids] of Object.entries(refused)) {
    for (const id of ids)
      t.type(documentIdProblem(id), 'string', `${what}: ${JSON.stringify(id).slice(0, 80)}`)
  }
  t.ok(Object.values(refused).flat().length > 60)
  t.notOk(isDocumentId(`svc_client_${'0'.repeat(22)}_${'0'.repeat(22)}`))
})

t.test('D2 a valid document is read', async t => {
  t.strictSame(read({ client_name: ' Doc \u202eumented\n', scope: 'x', logo_uri: 'javascript:x' }), {
    id: ID,
    name: 'Doc umented',
    redirectUris: ['https://app.example.com/cb'],
    grantTypes: ['authorization_code', 'refresh_token'],
    createdAt: 5,
    lastUsedAt: null,
  })
  for (const client_name of [undefined, '', '\u202e', 7, ['x']])
    t.equal(read({ client_name }).name, 'app.example.com')
  const some = [
    ...words(`
    https://a.example/cb javascript:alert(1) http://evil.example/ http://localhost/cb unknown://x
  `),
    7,
  ]
  t.strictSame(read({ redirect_uris: some }).redirectUris, ['https://a.example/cb', 'http://localhost/cb'])
  for (const methods of [
    {},
    { token_endpoint_auth_method: 'none' },
    { token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'] },
    { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_methods_supported: ['none'] },
    { grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'], response_types: ['token'] },
    { jwks: { keys: [{ kty: 'RSA', n: 'x', e: 'AQAB' }] } },
    { jwks: null },
    { jwks: { keys: [null] } },
  ]) {
    t.equal(read(methods).id, ID, JSON.stringify(methods))
  }
})

t.test('D2 which documents are refused', async t => {
  const uris = ['https://app.example.com/cb']
  const documents: unknown[] = [
    ...[null, [], 'x', 7, {}, { redirect_uris: uris }, { client_id: null, redirect_uris: uris }],
    ...[
      `${ID}/`,
      `${ID}?`,
      `${ID}#`,
      ID.toUpperCase(),
      'https://app.example.com:443/oauth/client.json',
      [ID],
    ].map(client_id => ({ client_id, redirect_uris: uris })),
    ...[undefined, null, uris[0], {}, [], ['javascript:alert(1)'], [[uris[0]]], [null]].map(
      redirect_uris => ({
        client_id: ID,
        redirect_uris,
      }),
    ),
    ...[
      { client_secret: 'x' },
      { client_secret: null },
      { client_secret_expires_at: 0 },
      { jwks: { keys: [{ kty: 'RSA', n: 'x', e: 'AQAB', d: 'x' }] } },
      { jwks: { keys: [{ kty: 'oct', k: 'x' }] } },
      {
        jwks: {
          keys: [
            { kty: 'RSA', n: 'x', e: 'AQAB' },
            { kty: 'RSA', n: 'x', e: 'AQAB', d: 'x' },
          ],
        },
      },
      { token_endpoint_auth_method: 'client_secret_basic' },
      { token_endpoint_auth_method: 'private_key_jwt' },
      { token_endpoint_auth_method: 'None' },
      { token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'] },
      { token_endpoint_auth_method: 7 },
    ].map(members => ({ client_id: ID, redirect_uris: uris, ...members })),
  ]
  const refused = { name: 'Error', withdrawn: true, problem: String }
  for (const document of documents) {
    t.throws(() => readDocument(ID, document, 0), refused, JSON.stringify(document))
  }
})

t.test('A3, A4 a document’s client is answered where its document says, and nowhere else', async t => {
  const client = read({
    redirect_uris: ['https://a.example/cb', 'http://localhost/cb', 'com.example.app:/cb'],
  })
  const listed = ['https://a.example/cb', 'com.example.app:/cb', 'http://localhost/cb']
  const loopback = ['http://localhost:33418/cb', 'http://127.0.0.1:1/cb', 'http://[::1]:65535/cb']
  for (const uri of [...listed, ...loopback]) t.ok(mayRedirectTo(uri, client, patterns), uri)
  const others = [
    ...words(`
    https://claude.ai/api/mcp/auth_callback https://chatgpt.com/connector/oauth/abc http://localhost:33418/
    http://127.0.0.1/any/path http://127.0.0.1:1/cb/ http://127.0.0.1:1/cb?x=1 https://a.example/cb/
    https://a.example/cb?x https://a.example:443/cb https://localhost/cb
  `),
    '',
  ]
  for (const uri of others) t.notOk(mayRedirectTo(uri, client, patterns), uri)
  const registered = { ...client, id: 'svc_client_x' }
  t.ok(mayRedirectTo('http://127.0.0.1/any/path', registered, patterns), 'a registered client may')
})

t.test('C7 a document verifies https callbacks, not those on the user’s computer', async t => {
  const uris = words(`
    https://a.example/cb http://localhost/cb https://localhost/cb https://127.0.0.1:8443/cb
    com.example.https:/cb https://[::1]/cb https://app.localhost/cb com.example.app:/cb cursor://x/cb
  `)
  const client = read({ redirect_uris: uris })
  t.strictSame(client.redirectUris, uris, 'all may be used')
  t.strictSame(
    uris.filter(uri => isVerified(client, uri)),
    ['https://a.example/cb'],
  )
  t.notOk(isVerified(client, 'https://b.example/cb'), 'not listed')
  t.notOk(isVerified({ ...client, id: 'svc_client_x' }, 'https://a.example/cb'), 'it registered itself')
})

t.test('D3, C7 the known assistants’ documents are as their publishers have them', async t => {
  const known = readKnownClients(0)
  const expected: [string, string, string[], string[]][] = [
    [
      'https://claude.ai/oauth/mcp-oauth-client-metadata',
      'Claude',
      ['https://claude.ai/api/mcp/auth_callback'],
      [],
    ],
    [
      'https://claude.ai/oauth/claude-code-client-metadata',
      'Claude Code',
      [],
      ['http://localhost:3118/callback'],
    ],
    [
      'https://chatgpt.com/oauth/client.json',
      'ChatGPT',
      ['https://chatgpt.com/connector_platform_oauth_redirect'],
      [],
    ],
    ['https://chatgpt.com/oauth/codex/client.json', 'Codex', [], ['http://127.0.0.1:5555/callback']],
    [
      'https://vscode.dev/oauth/client-metadata.json',
      'Visual Studio Code',
      ['https://vscode.dev/redirect'],
      ['http://127.0.0.1:33418/'],
    ],
    ['https://zed.dev/oauth/client-metadata.json', 'Zed', [], ['http://127.0.0.1:49152/callback']],
    ['https://opencode.ai/oauth/opencode/client.json', 'opencode', [], ['http://127.0.0.1:51675/callback']],
  ]
  t.strictSame([...known.keys()].sort(), expected.map(([id]) => id).sort())
  for (const [id, name, hosted, local] of expected) {
    const client = known.get(id) as Client
    t.equal(client.name, name)
    for (const uri of [...hosted, ...local]) t.ok(mayRedirectTo(uri, client, []), uri)
    for (const uri of hosted) t.ok(isVerified(client, uri), `${uri} is verified`)
    for (const uri of local) t.notOk(isVerified(client, uri), `${uri} is not`)
    t.notOk(mayRedirectTo('https://evil.example/cb', client, patterns))
  }
})
