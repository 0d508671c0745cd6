import * as client from 'openid-client'
import t from 'tap'
import { decide, openCallback } from '../../e2e/browser.js'
import { ask, bareCaller, converse, post } from '../../e2e/conversation.js'
import { listenWithSafes } from '../../e2e/service.js'

/** openid-client refuses http unless told; the service under test is on loopback. */
const options: client.DiscoveryRequestOptions = {
  algorithm: 'oauth2',
  execute: [client.allowInsecureRequests],
}

t.test('openid-client, a certified client, goes the whole way', async t => {
  const { baseUrl, clock, page, safe, other } = await listenWithSafes(t)
  const resource = `${baseUrl}/mcp/v1`
  const callback = await openCallback(t)
  const metadata = { redirect_uris: [callback.uri], token_endpoint_auth_method: 'none' }
  const registered = await client.dynamicClientRegistration(
    new URL(baseUrl),
    metadata,
    client.None(),
    options,
  )
  const { client_id } = registered.clientMetadata()
  // As an app does when it starts again: it knows its client id, and discovers the rest.
  const config = await client.discovery(new URL(baseUrl), client_id, metadata, client.None(), options)
  t.ok(config.serverMetadata().supportsPKCE())

  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback.uri,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    scope: 'vault:read',
    state: expectedState,
    resource,
  })
  await decide(page, url)
  const checks = { pkceCodeVerifier, expectedState }
  let tokens = await client.authorizationCodeGrant(config, await callback.received, checks, { resource })
  t.match(tokens, { token_type: 'bearer', expires_in: 3600, scope: 'vault:read' })

  const initialized = await post(resource, tokens.access_token, {
    method: 'initialize',
    params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  })
  t.match(JSON.parse(initialized.text), { result: { protocolVersion: '2025-03-26' } })
  const { text } = await post(resource, tokens.access_token, { method: 'tools/list' })
  t.match(JSON.parse(text), { result: { tools: { length: 3 } } })
  const call = bareCaller(resource, () => tokens.access_token)
  await converse(t, call, safe, other)

  clock.now += 3601_000
  await t.rejects(call('svc_list_safes'), /^401/, 'an hour later the access token has expired')
  const before = tokens
  tokens = await client.refreshTokenGrant(config, before.refresh_token!)
  await ask(t, call, 'the selection survives the refresh')
  const refused = { error: 'invalid_grant', status: 400 }
  const refresh = (token: string) => client.refreshTokenGrant(config, token).catch(error => error)
  t.match(await refresh(before.refresh_token!), refused, 'the used refresh token is refused')

  await client.tokenRevocation(config, tokens.access_token)
  await t.rejects(call('svc_list_safes'), /^401/, 'a revoked access token is at its end')
  tokens = await client.refreshTokenGrant(config, tokens.refresh_token!)
  await ask(t, call, 'its connection is not')
  await client.tokenRevocation(config, tokens.refresh_token!)
  await t.rejects(call('svc_list_safes'), /^401/, 'until its refresh token is revoked')
  t.match(await refresh(tokens.refresh_token!), refused)
})
