import t from 'tap'
import { build } from '../../helper.js'
import { sendRaw } from '../../socket.js'
import { words } from '../../words.js'
import { refused } from '../../written.js'
import { Assistant, BASE, CALLBACK, type Fields } from './assistant.js'

const OWN_QUERY = 'https://assistant.example/q?x=%41+b&y'

/** Reported to the client: a title, the changes to a valid request, the error code. */
type Fault = [name: string, changes: Fields, error: string]

const toClient: Fault[] = [
  ['A6 response_type missing', { response_type: undefined }, 'invalid_request'],
  ['A6 response_type unknown', { response_type: 'token' }, 'unsupported_response_type'],
  ['A7 code_challenge missing', { code_challenge: undefined }, 'invalid_request'],
  ['A8 a parameter repeated', { x: ['S256', 'S256'] }, 'invalid_request'],
  ['A9 scope with NUL', { scope: 'vault:read\0' }, 'invalid_request'],
  ['A10 resource of another server', { resource: 'https://evil.example/mcp/v1' }, 'invalid_target'],
  ['A11 request', { request: 'x' }, 'request_not_supported'],
]

t.test('errors of the authorization endpoint', async t => {
  const app = await build(t)
  const assistant = await Assistant.registered(app, [CALLBACK, OWN_QUERY])
  await app.listen({ port: 0, host: '127.0.0.1' })

  t.test('A5, A6, A7, A8, A9, A10, A11 every other fault goes back to the client', async t => {
    for (const [name, changes, error] of toClient) {
      const response = await refused(t, app, name, () => assistant.authorize(changes))
      t.match(response, { statusCode: 302, headers: { 'cache-control': 'no-store' } }, name)
      const location = new URL(String(response.headers.location))
      t.equal(`${location.origin}${location.pathname}`, CALLBACK, name)
      const description = location.searchParams.get('error_description')
      t.match(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/, 'RFC 6749 §4.1.2.1')
      const answer = { error, error_description: description, state: 'a state/+&', iss: BASE }
      t.strictSame(Object.fromEntries(location.searchParams), answer, name)
    }
  })

  t.test('A5, A14 the redirect URI keeps its own query byte for byte, also with an error', async t => {
    const { headers } = await assistant.authorize({
      redirect_uri: OWN_QUERY,
      response_type: 'x',
      state: 's',
    })
    const expected = `${OWN_QUERY}&error=unsupported_response_type&error_description=`
    t.ok(String(headers.location).startsWith(expected))
    t.match(headers.location, `&state=s&iss=${encodeURIComponent(BASE)}`)
  })

  t.test('A5 state goes back byte for byte, and nothing in it becomes a header', async t => {
    const url = assistant.authorizeUrl({ state: undefined, response_type: 'token' })
    const states = [
      '',
      ...words('a+b%20c ~-._!*() %e2%82%ac a?b/c:d@e;, %22 [|^`]\\ %FF %zz % %00 %zz%00 %23 %26smuggled=yes'),
      '%0d%0aSet-Cookie:%20smuggled=yes',
      's'.repeat(4000),
    ]
    for (const state of states) {
      const answer = await sendRaw(app, `GET ${url}&state=${state}`)
      t.ok(answer.headers.location?.endsWith(`&state=${state}&iss=${encodeURIComponent(BASE)}`), state)
      t.equal(answer.headers['set-cookie']?.includes('smuggled=yes'), false)
    }
    const escaped = await sendRaw(app, `GET ${url}&state="<#>`)
    t.match(
      escaped.headers.location,
      '&state=%22%3C%23%3E&iss=',
      'what no browser sends, and what would cut iss off',
    )
    t.match((await sendRaw(app, `GET ${url}&%73tate=x`)).headers.location, '&state=x&iss=')
    t.notMatch((await sendRaw(app, `GET ${url}`)).headers.location, 'state=')
  })

  t.test('A8 a repeated state is a fault, and not echoed', async t => {
    const { headers } = await refused(t, app, 'state', () => assistant.authorize({ state: ['a', 'a'] }))
    t.match(headers.location, 'error=invalid_request')
    t.notMatch(headers.location, 'state=')
  })
})
