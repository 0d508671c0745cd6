import type { Attack } from '../attack.js'
import { floodAuthorize } from '../authorize-flood.js'
import { Browser } from '../browser.js'

/** What an honest user's calls leave and the buffers of connections; 25 stored requests would take as much. */
const MOST_BYTES = 200_000

/** A Redis of 60 MB that may drop nothing was full after 8 s, and every write of the service failed from then on. */
export const attack: Attack = {
  name: 'authorization requests of strangers, Redis of 60 MB',
  redis: ['--maxmemory', '60mb', '--maxmemory-policy', 'noeviction'],
  limits: { holdMs: 100, honestShare: 0.9 },
  async run(service) {
    const { url, attacker, redis } = service
    const usedMemory = async () =>
      Number(/^used_memory:(\d+)/m.exec(`${await redis?.ask('info', 'memory')}`)?.[1])
    const before = await usedMemory()
    const taken = await floodAuthorize(service, 8)
    const grown = (await usedMemory()) - before
    // Not "more than": NaN is no proof.
    if (!(grown <= MOST_BYTES)) throw new Error(`${taken} requests left ${grown} bytes in Redis`)
    const { status } = await new Browser(url).signIn(attacker.email, attacker.password)
    if (status !== 303) throw new Error(`a sign-in, which writes, got ${status} after the flood`)
    return `${taken} requests, used_memory ${grown < 0 ? '' : '+'}${grown} bytes`
  },
}
