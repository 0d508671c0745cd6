import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'

export interface SocketResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * Sends a raw request, which may be malformed, to a listening app. Characters are bytes (latin1). Status 0:
 * the connection was closed without a response.
 */
export function sendRaw(
  app: FastifyInstance,
  requestLine: string,
  headers: readonly string[] = [],
  body = '',
): Promise<SocketResponse> {
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const host = headers.some(header => /^host:/i.test(header)) ? [] : [`Host: localhost:${port}`]
  const length = body ? [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`] : []
  const lines = [`${requestLine} HTTP/1.1`, ...host, 'Connection: close', ...headers, ...length, '', body]
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('close', () => resolve(parseResponse(text)))
    // A server that responds before it has read the whole request may reset the connection.
    socket.on('error', error => (text ? undefined : reject(error)))
    socket.write(lines.join('\r\n'), 'latin1')
  })
}

function parseResponse(text: string): SocketResponse {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...fields] = head.split('\r\n')
  const headers = fields.map(field => [field.split(':', 1)[0]?.toLowerCase(), field.replace(/^[^:]*: */, '')])
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
  }
}
