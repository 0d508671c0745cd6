// oidc-provider over the same Redis, set up to do no more than we do: opaque tokens, no ID token, a public client with
// PKCE whose refresh tokens rotate. Its argument: the URL of Redis.
// The client `asks` asks its user each time, as we do: /interaction/:uid answers a page of a few bytes, and posting to
// it approves. For the client `granted` a new grant is made at once and nobody is asked.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Redis } from 'ioredis'
import { Provider } from 'oidc-provider'
import { ready } from '../load/child.js'
import { redisAdapter } from './redis-adapter.js'

const SCOPE = 'vault:read'
const ACCOUNT = 'ann'

const [redisUrl = ''] = process.argv.slice(2)
const redis = new Redis(redisUrl, { enableAutoPipelining: true })
const server = createServer().listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  const provider = newProvider(`http://127.0.0.1:${port}`)
  const answer = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    interact(provider, request, response).catch(error => response.writeHead(500).end(String(error)))
  })
  ready({ port }, () => server.close())
})

function newProvider(issuer: string): Provider {
  const client = {
    token_endpoint_auth_method: 'none' as const,
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: ['https://assistant.example/cb'],
    scope: SCOPE,
  }
  return new Provider(issuer, {
    adapter: redisAdapter(redis),
    clients: [
      { ...client, client_id: 'asks' },
      { ...client, client_id: 'granted' },
    ],
    scopes: [SCOPE],
    cookies: { keys: ['a key to sign cookies with'] },
    features: { devInteractions: { enabled: false } },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    expiresWithSession: async () => false,
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
    async loadExistingGrant({ oidc }) {
      if (oidc.client?.clientId === 'granted') return newGrant(oidc.provider, 'granted')
      const grantId = oidc.result?.consent?.grantId
      return grantId ? oidc.provider.Grant.find(grantId) : undefined
    },
  })
}

async function newGrant(provider: Provider, clientId: string) {
  const grant = new provider.Grant({ accountId: ACCOUNT, clientId })
  grant.addOIDCScope(SCOPE)
  await grant.save()
  return grant
}

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response)
  if (request.method === 'GET') {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<form method="post"></form>')
    return
  }
  const result =
    prompt.name === 'login'
      ? { login: { accountId: ACCOUNT } }
      : { consent: { grantId: (await newGrant(provider, String(params.client_id))).jti } }
  await provider.interactionFinished(request, response, result)
}
