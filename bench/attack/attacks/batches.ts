import type { Attack } from '../attack.js'
import { flood, mcpRequest } from '../flood.js'

const LONG = 'What does the keeper of the lighthouse know about the cooperative and who told them? '.repeat(
  10,
)

/** Batches of 50 long questions, from one connection, several at once. */
export const attack: Attack = {
  name: 'batches of 50 long questions',
  limits: { holdMs: 60, honestShare: 0.9 },
  async run({ port, attacker }) {
    const batch = Array.from({ length: 50 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'svc', arguments: { query: `${id} ${LONG}`.slice(0, 800), max_tokens: 20_000 } },
    }))
    await flood({ port, sockets: 8, seconds: 6, request: () => mcpRequest(attacker.token, batch) })
  },
}
