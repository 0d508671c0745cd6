import { randomBytes } from 'node:crypto'
import type { Attack } from '../attack.js'
import { flood, mcpRequest } from '../flood.js'

/** A flood whose every request carries another token, none of which was ever issued. */
export const attack: Attack = {
  name: 'flood with a fresh made-up token each',
  // Overload is noticed after half a second to a second. Until then the flood is answered first, and some of the honest
  // calls of that time wait longer than their five seconds: 10 to 15 % of all. Before, 95 % failed.
  limits: { holdMs: 100, honestShare: 0.75 },
  async run({ port }) {
    const id = randomBytes(16).toString('hex').slice(0, 22)
    await flood({
      port,
      sockets: 500,
      seconds: 8,
      request: n =>
        mcpRequest(`svc_at_${id}_${String(n).padStart(43, '0')}`, { jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
  },
}
