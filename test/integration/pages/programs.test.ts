import t from 'tap'
import { rpc } from '../../unit/mcp/domain.js'
import { refused } from '../../written.js'
import { hiddenFields } from './browser.js'
import { open } from './open.js'

const PAGE = '/account/programs'

t.test('issue 54: a program gets a token that is shown once, limited to Safes and powers', async t => {
  const { app, browser: ann, id } = await open(t)
  const [harbour, garden] = [await app.safes.create(id, 'Harbour'), await app.safes.create(id, 'Garden')]
  const page = (await ann.get(PAGE)).body
  const form = { ...hiddenFields(page, PAGE), days: '90', reach: 'mcp', propose: 'yes', only: 'yes' }
  for (const [name, fields, error] of [
    ['without a Safe', { name: 'Report' }, /Select the Safes/],
    ['without a name', { name: ' ', safe: harbour.id }, /A name by which/],
    ['a Safe of nobody', { name: 'Report', safe: '0'.repeat(22) }, /can no longer read/],
  ] as const) {
    const reply = await refused(t, app, name, () => ann.post(PAGE, { ...form, ...fields }))
    t.match(reply, { statusCode: 400, body: error }, name)
  }
  const made = (await ann.post(PAGE, { ...form, name: 'Report <b>', safe: harbour.id })).body
  const [token = ''] = /svc_at_[\w]+/.exec(made) ?? []
  t.match(made, 'Report &lt;b&gt;')
  const listed = (await ann.get(PAGE)).body
  t.match(listed, /Report &lt;b&gt;[\s\S]*not used yet/)
  t.notMatch(listed, token, 'it is not shown again')
  const send = (method: string, params = {}) =>
    app.inject({
      method: 'POST',
      url: '/mcp/v1',
      headers: { authorization: `Bearer ${token}` },
      payload: rpc(1, method, params),
    })
  const names = (await send('tools/list')).json().result.tools.map(({ name }: { name: string }) => name)
  t.ok(names.includes('svc_propose'))
  const { safes } =
    (await send('tools/call', { name: 'svc_list_safes' })).json().result.structuredContent ?? {}
  t.notMatch(JSON.stringify(safes ?? ''), garden.id)
  const text = (await send('tools/call', { name: 'svc_list_safes' })).json().result.content[0].text
  t.match(text, harbour.id)
  t.notMatch(text, garden.id)
  const [connection] = await app.oauth.connections.listFor(id)
  const end = `/connections/${connection?.id}/revoke`
  t.equal((await ann.post(end, hiddenFields(listed, end))).statusCode, 303)
  t.equal((await send('ping')).statusCode, 401)
  t.notMatch((await ann.get(PAGE)).body, 'Report')
})

t.test('issue 54: a program of the HTTP API may fill Safes only if that was chosen', async t => {
  const { app, browser: ann, id } = await open(t)
  const { id: safe } = await app.safes.create(id, 'Harbour')
  for (const [reach, expected] of [
    ['api', 403],
    ['fill', 201],
  ] as const) {
    const made = (await ann.submit(PAGE, PAGE, { name: reach, days: '1', reach, only: '' })).body
    const authorization = `Bearer ${/svc_at_[\w]+/.exec(made)?.[0]}`
    t.equal((await app.inject({ url: '/api/v1/safes', headers: { authorization } })).statusCode, 200)
    const headers = {
      authorization,
      'tus-resumable': '1.0.0',
      'upload-length': '3',
      'upload-metadata': 'filename YS5tZA==',
    }
    const reply = await app.inject({ method: 'POST', url: `/api/v1/safes/${safe}/uploads`, headers })
    t.equal(reply.statusCode, expected, reach)
  }
})

t.test('issue 54: an app is registered for its callbacks, and kept', async t => {
  const { app, browser: ann } = await open(t)
  const at = '/connections/apps'
  const callbacks = 'http://localhost:4111/callback\r\nhttps://app.example/callback'
  const made = (await ann.submit(at, at, { name: 'Mastra', callbacks })).body
  const [id = ''] = /svc_client_\w+/.exec(made) ?? []
  t.match(await app.oauth.clients.find(id), {
    name: 'Mastra',
    redirectUris: callbacks.split('\r\n'),
    lastUsedAt: Number,
  })
  for (const wrong of ['javascript:alert(1)', 'http://app.example/callback', '', 'https://*.example/'])
    t.match(
      await refused(t, app, wrong, () => ann.submit(at, at, { name: 'Bad', callbacks: wrong })),
      { statusCode: 400 },
      wrong,
    )
})
