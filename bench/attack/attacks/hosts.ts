import type { Attack } from '../attack.js'
import { flood, requestText } from '../flood.js'

const OURS = 'localhost'
const FOREIGN = 'evil.example'
const TARGETS = ['GET /login', 'GET /healthz', 'POST /mcp/v1', 'POST /oauth/token', 'GET /nothing']
const HOSTS = [
  { Host: OURS, HOST: FOREIGN },
  { Host: FOREIGN, HOST: OURS },
  { Host: OURS, HOST: OURS },
  { Host: FOREIGN },
]

/** Two `Host` headers, and the name of another host, in such numbers that others would be shed (RULES P9, P11). */
export const attack: Attack = {
  name: 'two Host headers and foreign hosts',
  limits: { holdMs: 100, honestShare: 0.9 },
  async run({ port }) {
    const requests = TARGETS.flatMap(line =>
      HOSTS.map(hosts =>
        requestText(line, { ...hosts, Authorization: 'Bearer made-up', Origin: `http://${FOREIGN}` }),
      ),
    )
    let told = ''
    const statuses = await flood({
      port,
      sockets: 300,
      seconds: 4,
      request: n => requests[n % requests.length] ?? '',
      onHead(head) {
        if (/\r\n(?:access-control-allow-origin|retry-after|www-authenticate):/i.test(head)) told = head
      },
    })
    if (told) throw new Error(`a foreign host was told:\n${told}`)
    const others = [...statuses].filter(([status]) => status !== 400 && status !== 403)
    if (others.length > 0 || statuses.size !== 2) throw new Error(`answered ${JSON.stringify([...statuses])}`)
    return `400: ${statuses.get(400)}, 403: ${statuses.get(403)}`
  },
}
