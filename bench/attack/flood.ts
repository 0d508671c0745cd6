import { setTimeout as pause } from 'node:timers/promises'
import { Connection, requestText } from '../load/connection.js'

export interface FloodOptions {
  port: number
  sockets: number
  seconds: number
  /** The whole n-th HTTP request. */
  request(n: number): string
  /** Receives status line and headers of each answer. */
  onHead?(head: string): void
}

/** Delay before a connection that ended is opened again. */
const AGAIN_MS = 50
/** Maximum wait for the last answers. */
const LAST_MS = 2000

/**
 * A closed loop: each connection sends its next request when the last one was answered.
 * @returns the number of answers per status; 0: the connection broke
 */
export async function flood({ port, sockets, seconds, request, onHead }: FloodOptions) {
  const statuses = new Map<number, number>()
  const open = new Set<Connection>()
  const endsAt = performance.now() + seconds * 1000
  let sent = 0
  const close = (connection: Connection) => {
    connection.close()
    open.delete(connection)
  }
  /** Sends until the time is up, or the connection ends. */
  async function use(connection: Connection): Promise<void> {
    while (performance.now() < endsAt) {
      const answer = await connection.send(request(sent++)).catch(() => null)
      const status = answer?.status ?? 0
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (answer) onHead?.(answer.head)
      if (!answer || /\r\nconnection: close/i.test(answer.head)) return
    }
  }
  async function work(): Promise<void> {
    for (; performance.now() < endsAt; await pause(AGAIN_MS)) {
      const connection = await Connection.open(port).catch(() => null)
      if (!connection) continue
      open.add(connection)
      await use(connection)
      close(connection)
    }
  }
  const all = Promise.all(Array.from({ length: sockets }, work))
  await Promise.race([all, pause(seconds * 1000 + LAST_MS)])
  for (const connection of open) close(connection)
  return statuses
}

/** An MCP request with a token. */
export function mcpRequest(token: string, message: object): string {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  return requestText('POST /mcp/v1', headers, JSON.stringify(message))
}
