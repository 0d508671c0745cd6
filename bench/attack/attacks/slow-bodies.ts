import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Attack } from '../attack.js'

const CONNECTIONS = 300
/** 15 s, and some for the check. */
const SECONDS = 18

/** Bodies that come a byte a second, to pages that take them without an account. */
export const attack: Attack = {
  name: 'bodies at a byte a second',
  limits: { holdMs: 100, honestShare: 0.9 },
  async run({ port }) {
    const open = new Set<ReturnType<typeof connect>>()
    const lines = ['POST /login', 'POST /oauth/token', 'POST /mcp/v1', 'POST /safes/x/import']
    for (let i = 0; i < CONNECTIONS; i++) {
      const socket = connect(port, '127.0.0.1')
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => open.delete(socket))
      const headers = ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 1000']
      socket.write(
        [`${lines[i % lines.length]} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n'),
      )
      socket.resume()
    }
    for (let second = 0; second < SECONDS; second++) {
      for (const socket of open) socket.write('x')
      await pause(1000)
    }
    const left = open.size
    for (const socket of open) socket.destroy()
    if (left > 0) throw new Error(`${left} of ${CONNECTIONS} connections are open after ${SECONDS} s`)
  },
}
