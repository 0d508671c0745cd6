import * as oauth from 'oauth4webapi'
import t from 'tap'
import { setUps } from '../helper.js'
import { decide, openBrowser, openCallback } from './browser.js'
import { listen, setUpThroughThePage } from './service.js'

/** oauth4webapi refuses http unless told; the service under test is on loopback. */
const http = { [oauth.allowInsecureRequests]: true }

for (const setUp of setUps) {
  t.test(`oauth4webapi, a strict client, goes the whole way with a pinned Safe (${setUp})`, async t => {
    const { app, baseUrl } = await listen(t, setUp)
    const page = await (await openBrowser(t)).newPage()
    const owner = await setUpThroughThePage(app, page)
    const safe = await app.safes.createSample(owner.id)
    const endpoint = new URL(`${baseUrl}/mcp/v1/${safe.id}`)

    const server = await discover(endpoint)
    const callback = await openCallback(t)
    const client = await register(server, callback.uri)
    const state = oauth.generateRandomState()
    const verifier = oauth.generateRandomCodeVerifier()
    const url = await authorizationUrl(server, client, callback.uri, verifier, state)
    url.searchParams.set('resource', endpoint.href)
    await decide(page, url)

    const answer = oauth.validateAuthResponse(server, client, await callback.received, state)
    const redeem = async () => {
      const none = oauth.None()
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        none,
        answer,
        callback.uri,
        verifier,
        http,
      )
      return oauth.processAuthorizationCodeResponse(server, client, response)
    }
    const tokens = await redeem()
    t.match(tokens, { token_type: 'bearer', expires_in: 3600, scope: 'vault:read' })
    const again = await redeem().catch((error: oauth.ResponseBodyError) => error)
    t.match(again, { error: 'invalid_grant', status: 400 }, 'the code is single-use')

    t.match(await ask(tokens.access_token, endpoint.href), { status: 200, text: safe.name })
    t.equal((await ask(tokens.access_token, `${baseUrl}/mcp/v1`)).status, 401, 'pinned to one Safe')

    const refreshed = await oauth
      .refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token!, http)
      .then(response => oauth.processRefreshTokenResponse(server, client, response))
    t.equal((await ask(refreshed.access_token, endpoint.href)).status, 200)

    await oauth
      .revocationRequest(server, client, oauth.None(), refreshed.refresh_token!, http)
      .then(oauth.processRevocationResponse)
    t.equal((await ask(refreshed.access_token, endpoint.href)).status, 401, 'revoked with everything it had')
  })
}

/** From the MCP endpoint to its authorization server (RFC 9728, RFC 8414). */
async function discover(endpoint: URL): Promise<oauth.AuthorizationServer> {
  const resource = await oauth
    .resourceDiscoveryRequest(endpoint, http)
    .then(response => oauth.processResourceDiscoveryResponse(endpoint, response))
  const issuer = new URL(resource.authorization_servers![0]!)
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...http })
  return oauth.processDiscoveryResponse(issuer, response)
}

async function register(server: oauth.AuthorizationServer, redirectUri: string): Promise<oauth.Client> {
  const metadata = {
    client_name: 'Strict client',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
  }
  const response = await oauth.dynamicClientRegistrationRequest(server, metadata, http)
  return (await oauth.processDynamicClientRegistrationResponse(response)) as oauth.Client
}

async function authorizationUrl(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  redirectUri: string,
  verifier: string,
  state: string,
): Promise<URL> {
  const url = new URL(server.authorization_endpoint!)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    scope: 'vault:read',
    state,
  }).toString()
  return url
}

/** A bare JSON-RPC call, with no more headers than SPEC §4.5 asks for. */
async function ask(token: string, url: string): Promise<{ status: number; text: string }> {
  const params = { name: 'svc', arguments: { query: 'Who is here?' } }
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  return { status: response.status, text: await response.text() }
}
