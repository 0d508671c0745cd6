import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { createFetchDocument } from '../../../domain/oauth/clients/document-fetch.js'
import { ClientStore } from '../../../domain/oauth/stores/client.sql.js'
import { build, sharedStores, testClock } from '../../helper.js'
import { refused } from '../../written.js'
import { Assistant, CALLBACK } from './assistant.js'
import { documentServer, HOST, nameServer, onLoopback, publish } from './document-server.js'

const CONSENT = /^\/oauth\/consent\/[\w-]{200,}$/
const CLAUDE = 'https://claude.ai/oauth/mcp-oauth-client-metadata'
const CLAUDE_CALLBACK = 'https://claude.ai/api/mcp/auth_callback'

/** The service, an https server for documents, and the real fetch. */
async function set(t: Test) {
  const dns = await nameServer(t)
  const server = await documentServer(t, publish())
  const clock = testClock()
  const log: string[] = []
  const deadline = new AbortController()
  const options = {
    env: await sharedStores(t),
    clock,
    fetchDocument: createFetchDocument({ ...onLoopback(dns), deadline: () => deadline.signal }),
    log: { write: (line: string) => void log.push(line) },
  }
  const start = () => build(t, options)
  return { server, clock, log, deadline, start, app: await start() }
}

async function documented(app: FastifyInstance, clientId: string): Promise<Assistant> {
  const assistant = new Assistant(app)
  assistant.clientId = clientId
  await assistant.browser.signIn('ann@a.example')
  return assistant
}

t.test('D2, D3 a client with a document connects, and needs it only once', async t => {
  const { app, server, clock, log, start } = await set(t)
  const id = server.at('/oauth/client.json')
  const assistant = await documented(app, id)
  const tokens = await assistant.connect()
  t.ok(await assistant.works(tokens.access_token))
  t.equal(server.requests.length, 1)
  t.match(await new ClientStore(app.database).find(id), {
    name: 'Documented',
    redirectUris: [CALLBACK],
    createdAt: clock.now,
    lastUsedAt: clock.now,
  })
  const [connection] = await app.oauth.connections.listFor(
    (await app.accounts.findByEmail('ann@a.example'))?.id ?? '',
  )
  t.match(connection, { clientId: id, clientName: 'Documented', standing: 'verified' })

  server.respond = (_request, response) => response.destroy()
  clock.now += 3 * 24 * 3_600_000
  const refreshed = await assistant.refresh(tokens.refresh_token)
  t.equal(refreshed.statusCode, 200)
  t.equal(server.requests.length, 1, 'tokens never need the network')

  await app.close()
  const restarted = await start()
  const again = await documented(restarted, id)
  const later = await again.refresh(refreshed.json().refresh_token)
  t.equal(later.statusCode, 200, 'nor after a restart')
  t.match((await again.authorize()).headers.location, CONSENT, 'a new connection goes by the copy')
  t.equal(server.requests.length, 2, 'after the document was asked for')
  t.equal((await again.revoke(later.json().refresh_token)).statusCode, 200)
  t.notOk(await again.works(later.json().access_token))
  t.equal(server.requests.length, 2)
  t.notMatch(log.join(), tokens.access_token, 'S1')
  t.notMatch(log.join(), tokens.refresh_token, 'S1')
})

t.test('D3 what a publisher changes is known at the next connection', async t => {
  const { app, server, clock } = await set(t)
  const id = server.at('/client')
  const assistant = await documented(app, id)
  await assistant.connect()
  const moved = 'https://moved.example/cb'
  server.respond = publish({ client_name: 'Renamed', redirect_uris: [moved] })
  t.match((await assistant.authorize()).headers.location, CONSENT, 'not while it is fresh')
  clock.now += 300_000
  t.equal((await assistant.authorize()).statusCode, 400, 'the old callback is refused')
  const page = await assistant.consentPage({ redirect_uri: moved })
  await assistant.decide(page, { decision: 'approve' })
  t.match(await new ClientStore(app.database).find(id), { name: 'Renamed', redirectUris: [moved] })
})

t.test('D4 a document that cannot be used is a page at authorize, and writes nothing', async t => {
  const { app, server, log, deadline } = await set(t)
  const assistant = await documented(app, '')
  const port = new URL(server.at('/')).port
  const cases: [string, RegExp][] = [
    ['https://127.0.0.1/x', /https:\/\/127\.0\.0\.1\/x\. That address is not on the public internet/],
    [`https://u:hush@${HOST}/x`, /contains a user name/],
    [`https://other.example.com:${port}/x`, /cannot be reached/],
    [server.at('/status'), /responds with status 403 instead of 200/],
    [server.at('/secret'), /contains a secret/],
    [server.at('/slow'), /takes too long to answer/],
  ]
  server.respond = (request, response) => {
    if (request.url === '/slow') return deadline.abort()
    if (request.url === '/status') return response.writeHead(403).end()
    publish({ client_secret: 'hush' })(request, response)
  }
  for (const [id, why] of cases) {
    const response = await refused(t, app, id, () => assistant.authorize({ client_id: id }))
    t.equal(response.statusCode, 400, id)
    t.equal(response.headers.location, undefined, id)
    t.match(response.headers, { 'content-type': /^text\/html/, 'cache-control': 'no-store' }, id)
    t.match(response.body, why, id)
    t.notMatch(response.body, /hush|127\.0\.0\.1:|ECONN|certificate/, 'it tells nothing else')
  }
  t.match(log.join(), /not in the cert's altnames.*client document not used/, 'the log says what exactly')
  t.notMatch(log.join(), 'hush', 'S1')
  const shown = await assistant.authorize({ client_id: `https://${HOST}/<script>alert(1)</script>` })
  t.equal(shown.statusCode, 400)
  t.match(shown.body, '&lt;script&gt;', 'S3 the address is shown as text')
  t.notMatch(shown.body, '<script>alert')
})

t.test('D4 at the token and revocation endpoints it is 401, and nothing is fetched', async t => {
  const { app, server } = await set(t)
  const assistant = new Assistant(app)
  for (const client_id of [server.at('/x'), 'https://127.0.0.1/x', 'https://localhost/']) {
    for (const send of [
      () => assistant.redeem('svc_ac_x', { client_id }),
      () => assistant.refresh('svc_rt_x', { client_id }),
      () => assistant.revoke('svc_rt_x', { client_id }),
    ]) {
      const response = await refused(t, app, client_id, send)
      t.equal(response.statusCode, 401)
      t.match(response.json(), { error: 'invalid_client', error_description: String })
      t.match(response.headers, { 'cache-control': 'no-store', 'access-control-allow-origin': '*' })
    }
  }
  t.equal(server.connections, 0)
  const pinned = await assistant.refresh('svc_rt_x', { client_id: CLAUDE })
  t.match(pinned.json(), { error: 'invalid_grant' }, 'a known assistant is known')
})

t.test('A3, A4, C7 where a document’s client may be answered, and what its user reads', async t => {
  const { app, server } = await set(t)
  server.respond = publish({
    client_name: '<b>Claude</b>',
    redirect_uris: [CALLBACK, 'http://localhost:33418/cb'],
  })
  const assistant = await documented(app, server.at('/x'))
  const { host } = new URL(server.at('/'))
  const cases: [string, string][] = [
    [CALLBACK, `tag good">verified – published by ${host}<`],
    ['http://localhost:33418/cb', 'tag warn">unverified – any program'],
  ]
  for (const [redirect_uri, shown] of cases) {
    const page = await assistant.browser.get(await assistant.consentPage({ redirect_uri }))
    t.ok(page.body.includes(shown), redirect_uri)
    t.match(page.body, '<bdi>&lt;b&gt;Claude&lt;/b&gt;</bdi>', 'S3 its name is text')
  }
  const elsewhere = () => assistant.authorize({ redirect_uri: CLAUDE_CALLBACK })
  const response = await refused(t, app, 'a known callback', elsewhere)
  t.match(response, { statusCode: 400, headers: { location: undefined } })
})
