// oidc-provider over the same Redis, configured to do no more than we do: opaque tokens, no ID token, a public client whose
// refresh tokens rotate. Its argument: the URL of Redis.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Redis } from 'ioredis'
import { Provider } from 'oidc-provider'
import { ready } from '../load/child.js'
import { CLIENTS } from '../load/rounds.js'
import { redisAdapter } from './redis-adapter.js'

const SCOPE = 'vault:read'
const CLIENT = 'bench'
const ACCOUNT = 'ann'

const [redisUrl = ''] = process.argv.slice(2)
const redis = new Redis(redisUrl, { enableAutoPipelining: true })
const server = createServer().listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo
  const provider = newProvider(`http://127.0.0.1:${port}`)
  server.on('request', provider.callback())
  const refreshTokens: string[] = []
  for (let i = 0; i < CLIENTS; i++) refreshTokens.push(await newRefreshToken(provider))
  ready({ port, clientId: CLIENT, refreshTokens }, () => server.close())
})

function newProvider(issuer: string): Provider {
  return new Provider(issuer, {
    adapter: redisAdapter(redis),
    clients: [
      {
        client_id: CLIENT,
        token_endpoint_auth_method: 'none' as const,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: ['https://assistant.example/cb'],
        scope: SCOPE,
      },
    ],
    scopes: [SCOPE],
    issueRefreshToken: async () => true,
    cookies: { keys: ['a key to sign cookies with'] },
    features: { devInteractions: { enabled: false } },
    rotateRefreshToken: true,
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
  })
}

/** As redeeming a code would make it. */
async function newRefreshToken(provider: Provider): Promise<string> {
  const client = await provider.Client.find(CLIENT)
  if (!client) throw new Error('no client')
  const grant = new provider.Grant({ accountId: ACCOUNT, clientId: CLIENT })
  grant.addOIDCScope(SCOPE)
  const grantId = await grant.save()
  const from = { accountId: ACCOUNT, client, grantId, scope: SCOPE, gty: 'authorization_code' }
  return new provider.RefreshToken(from).save()
}
