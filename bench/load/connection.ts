import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  /** The status line and the headers as received. */
  head: string
  /** One character per byte. */
  body: string
}

/**
 * One keep-alive connection, one request at a time. Custom, because an HTTP client takes as long for a request
 * as the measured services. All services are measured with the same connection code.
 */
export class Connection {
  readonly #socket: Socket
  #read = ''
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null

  private constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true)
    socket.on('data', chunk => {
      this.#read += chunk.toString('latin1')
      const answer = parse(this.#read)
      if (!answer) return
      this.#read = ''
      this.#waiting?.resolve(answer)
    })
    socket.on('error', error => this.#waiting?.reject(error))
    socket.on('close', () => this.#waiting?.reject(new Error('the connection was closed')))
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new Connection(socket)
  }

  /** `request` as `requestText` makes it. */
  send(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('the connection was closed'))
      this.#waiting = { resolve, reject }
      this.#socket.write(request, 'latin1')
    })
  }

  close(): void {
    this.#waiting = null
    this.#socket.destroy()
  }
}

/** A request as sent. `line` is method and path; the body has one character per byte. */
export function requestText(line: string, headers: Record<string, string>, body = ''): string {
  const all = { Host: 'localhost', ...headers, 'Content-Length': String(body.length) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** Null: incomplete. */
function parse(text: string): Answer | null {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = text.slice(0, end)
  const body = bodyOf(text, head, end + 4)
  return body === null ? null : { status: Number(text.slice(9, 12)), head, body }
}

function bodyOf(text: string, head: string, start: number): string | null {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) return /\r\ntransfer-encoding: chunked/i.test(head) ? chunks(text, start) : ''
  return text.length < start + Number(length) ? null : text.slice(start)
}

function chunks(text: string, start: number): string | null {
  let body = ''
  for (let at = start; ; ) {
    const line = text.indexOf('\r\n', at)
    const size = Number.parseInt(text.slice(at, line), 16)
    if (line < 0 || text.length < line + 2 + size + 2) return null
    if (size === 0) return body
    body += text.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
}
