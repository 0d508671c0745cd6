import * as oauth from 'oauth4webapi'
import t from 'tap'
import { decide, openCallback } from '../../e2e/browser.js'
import { ask, bareCaller } from '../../e2e/conversation.js'
import { listenWithSafes } from '../../e2e/service.js'

/** oauth4webapi refuses http by default; the service under test is on loopback. */
const http = { [oauth.allowInsecureRequests]: true }

t.test('oauth4webapi, a strict client, goes the whole way with a pinned Safe', async t => {
  const { baseUrl, clock, page, safe } = await listenWithSafes(t)
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

  let token = tokens.access_token
  const call = bareCaller(endpoint, () => token)
  await ask(t, call, 'nothing to select: the connection is pinned to one Safe')
  const elsewhere = bareCaller(`${baseUrl}/mcp/v1`, () => token)
  await t.rejects(elsewhere('svc_list_safes'), /^401/, 'and opens no other endpoint')

  clock.now += 3601_000
  await t.rejects(call('svc_list_safes'), /^401/, 'an hour later the access token has expired')
  const refreshed = await oauth
    .refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token!, http)
    .then(response => oauth.processRefreshTokenResponse(server, client, response))
  token = refreshed.access_token
  await ask(t, call, 'refreshed')

  await oauth
    .revocationRequest(server, client, oauth.None(), refreshed.refresh_token!, http)
    .then(oauth.processRevocationResponse)
  await t.rejects(call('svc_list_safes'), /^401/, 'revoked with everything it had')
})

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
