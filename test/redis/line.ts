import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A way to a server of this machine that can fall silent: it stays open and forwards nothing. */
export interface Line {
  port: number
  /**
   * Bytes are kept back from now on. `forever`: those of today's connections are never delivered, as when a machine
   * is gone; new connections work.
   */
  stall(how?: 'forever'): void
  /** What was kept back is delivered. */
  release(): void
}

/** Opens a line to `port`; it ends with the test. */
export async function openLine(t: Test, port: number): Promise<Line> {
  const pairs = new Set<[Socket, Socket]>()
  let stalled = false
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1')
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
    if (stalled) hold(pair)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
    server.close()
  })
  const hold = ([near, far]: [Socket, Socket]) => {
    near.unpipe(far).pause()
    far.unpipe(near).pause()
  }
  return {
    port: (server.address() as AddressInfo).port,
    stall(how) {
      for (const pair of pairs) hold(pair)
      if (how === 'forever') pairs.clear()
      else stalled = true
    },
    release() {
      stalled = false
      for (const [near, far] of pairs) {
        near.pipe(far)
        far.pipe(near)
      }
    },
  }
}
