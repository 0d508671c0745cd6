import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import type { Test } from 'tap'

/** Somebody with an account at the provider. */
export interface Person {
  sub: string
  email?: string
  email_verified?: boolean
  groups?: string[]
}

/** A change of the provider's answer by a test: returns the new body. */
export type Rewrite = (path: string, body: Record<string, unknown>) => Record<string, unknown>

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 })
const JWK = { ...KEYS.privateKey.export({ format: 'jwk' }), kid: 'test', use: 'sig', alg: 'RS256' }

/** A JWT, by default signed by the provider. */
export function signToken(header: object, claims: object, key = KEYS.privateKey): string {
  const content = [header, claims]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`
}

/** A real OpenID provider on loopback. Everybody signs in as `person`, and agrees to everything. */
export async function startProvider(t: Test, redirectUri = 'https://safes.example/login/callback') {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const state: { person: Person; denies: boolean; rewrite: Rewrite | null } = {
    person: { sub: 'nobody' },
    denies: false,
    rewrite: null,
  }
  const people = new Map<string, Person>()
  const provider = new Provider(issuer, {
    clients: [
      { client_id: 'svc', client_secret: 'a secret of 32 characters at least', redirect_uris: [redirectUri] },
    ],
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    jwks: { keys: [JWK] },
    cookies: { keys: ['a key to sign cookies with'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...people.get(sub), sub }) }),
    async loadExistingGrant({ oidc }) {
      const { client, session, provider, params } = oidc
      const grant = new provider.Grant({
        accountId: session?.accountId ?? '',
        clientId: client?.clientId ?? '',
      })
      grant.addOIDCScope(String(params?.scope))
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) {
      if (state.rewrite) rewriteAnswer(request.url ?? '', response, state.rewrite)
      return answer(request, response)
    }
    people.set(state.person.sub, state.person)
    const result = state.denies
      ? { error: 'access_denied', error_description: 'no' }
      : { login: { accountId: state.person.sub } }
    provider
      .interactionFinished(request, response, result)
      .catch(error => response.writeHead(500).end(String(error)))
  })
  const stop = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise(resolve => server.close(resolve))
  }
  t.teardown(stop)
  const env = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'svc',
    OIDC_CLIENT_SECRET: 'a secret of 32 characters at least',
  }
  return { issuer, env, state, stop, visit: (url: string) => visit(url, issuer) }
}

export type TestProvider = Awaited<ReturnType<typeof startProvider>>

/** Changes a JSON answer on its way, as an attacker between the service and the provider could. */
function rewriteAnswer(path: string, response: ServerResponse, rewrite: Rewrite): void {
  const end = response.end.bind(response)
  response.end = ((body?: unknown) => {
    if (!String(response.getHeader('content-type')).startsWith('application/json')) return end(body)
    const changed = Buffer.from(JSON.stringify(rewrite(path, JSON.parse(String(body)))))
    response.setHeader('content-length', changed.length)
    return end(changed)
  }) as typeof response.end
}

/** Follows a URL at the provider as a new browser. @returns the URL to which it sends the browser back */
async function visit(start: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = start
  while (url.startsWith(issuer)) {
    const cookie = [...cookies].map(pair => pair.join('=')).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie, connection: 'close' } })
    await response.arrayBuffer()
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`${url} answers ${response.status}`)
    url = new URL(location, url).href
  }
  return url
}
