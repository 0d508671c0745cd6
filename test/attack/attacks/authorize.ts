import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack, Service } from '../attack.js'
import { flood, requestText } from '../flood.js'

const MOST_BYTES = 1_000_000

/** Authorization requests of 7 kB that nobody will ever decide. */
export const attack: Attack = {
  name: 'authorization requests of strangers',
  limits: { loopGapMs: 150, honestShare: 0.9 },
  async run(service) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: await register(service),
      redirect_uri: 'http://localhost/cb',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      state: 's'.repeat(7000),
    })
    const before = bytesOf(service.dataDir)
    const statuses = await flood({
      port: service.port,
      sockets: 64,
      seconds: 6,
      request: () => requestText(`GET /oauth/authorize?${query}`, { Accept: 'text/html' }),
    })
    if (!statuses.get(302)) throw new Error(`no request was taken: ${JSON.stringify([...statuses])}`)
    const grown = bytesOf(service.dataDir) - before
    if (grown > MOST_BYTES) throw new Error(`${statuses.get(302)} requests left ${grown} bytes on the disk`)
  },
}

async function register({ url }: Service): Promise<string> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['http://localhost/cb'] }),
  })
  return ((await response.json()) as { client_id: string }).client_id
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, { name }) => sum + statSync(join(folder, name)).size, 0)
}
