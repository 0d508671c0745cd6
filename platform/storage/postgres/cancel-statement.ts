import { connect } from 'node:net'
import type { PoolClient } from 'pg'

/** CancelRequest (PostgreSQL, "Message Formats"). */
const CANCEL_REQUEST = 80_877_102

/** Undeclared members of a pg connection. */
interface Connected {
  processID: number | null
  secretKey: number | null
  host: string
  port: number
}

/**
 * Asks Postgres to cancel the statement of a connection, over a separate connection, as the protocol requires.
 * The protocol does not report the result.
 * @returns resolves when the request has arrived, or after a second. The connection has to stay open until then: a pooler
 *   does not find the statement of one that has closed.
 */
export async function cancelStatement(client: PoolClient): Promise<void> {
  const { processID, secretKey, host, port } = client as unknown as Connected
  if (processID === null || secretKey === null) return
  const request = Buffer.alloc(16)
  for (const [at, value] of [16, CANCEL_REQUEST, processID, secretKey].entries())
    request.writeInt32BE(value, at * 4)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket.setTimeout(1000, () => socket.destroy())
  socket.on('error', () => {})
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  socket.write(request)
  socket.resume()
  return closed
}
