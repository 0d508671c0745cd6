import { connect } from 'node:net'

export interface FloodOptions {
  port: number
  sockets: number
  seconds: number
  /** The whole of the n-th HTTP request. */
  request(n: number): string
  /** Gets status line and headers of each answer. */
  onHead?(head: string): void
}

const HEAD_END = '\r\n\r\n'

/**
 * A closed loop: each socket sends its next request when the last one was answered. Written by hand, because an HTTP
 * client takes as long for a request as the service does.
 * @returns how many answers had each status; 0: the connection broke
 */
export async function flood({
  port,
  sockets,
  seconds,
  request,
  onHead,
}: FloodOptions): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  const endsAt = performance.now() + seconds * 1000
  let sent = 0
  const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
  function take(head: string): void {
    onHead?.(head)
    count(Number(head.slice(9, 12)))
  }
  async function work(): Promise<void> {
    while (performance.now() < endsAt) {
      const next = () => (performance.now() < endsAt ? request(sent++) : null)
      const broke = await onOneSocket(port, next, take, endsAt)
      if (!broke) return
      count(0)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  await Promise.all(Array.from({ length: sockets }, work))
  return statuses
}

/** Sends requests one after the other until there is no next one. @returns whether the connection broke before */
function onOneSocket(
  port: number,
  next: () => string | null,
  take: (head: string) => void,
  endsAt: number,
): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const timer = setTimeout(() => finish(false), endsAt + 2000 - performance.now())
    let read = ''
    function finish(broke: boolean) {
      clearTimeout(timer)
      resolve(broke)
      socket.destroy()
    }
    function send() {
      const text = next()
      if (text === null) finish(false)
      else socket.write(text, 'latin1')
    }
    socket.setEncoding('latin1')
    socket.on('connect', send)
    socket.on('data', chunk => {
      read += chunk
      const end = read.indexOf(HEAD_END)
      if (end < 0) return
      const head = read.slice(0, end)
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (read.length < end + HEAD_END.length + length) return
      const closes = /\r\nconnection: close/i.test(head)
      take(head)
      read = ''
      if (closes) finish(true)
      else send()
    })
    socket.on('error', () => finish(true))
    socket.on('close', () => finish(true))
  })
}

/** A request as it travels. */
export function requestText(line: string, headers: Record<string, string>, body = ''): string {
  const all = { Host: 'localhost', ...headers, 'Content-Length': String(Buffer.byteLength(body, 'latin1')) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`${line} HTTP/1.1`, ...lines].join('\r\n')}${HEAD_END}${body}`
}

/** An MCP request with a token. */
export function mcpRequest(token: string, message: object): string {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  return requestText('POST /mcp/v1', headers, JSON.stringify(message))
}
