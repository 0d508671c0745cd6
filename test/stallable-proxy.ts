import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A TCP proxy to a local server that can stall: connections stay open, but nothing is forwarded. */
export interface StallableProxy {
  port: number
  /**
   * Holds back all bytes from now on. `forever`: existing connections never deliver theirs, as if the machine
   * had disappeared; new connections work.
   */
  stall(how?: 'forever'): void
  /** Stalls when a client sends `text`: just before the server receives it, or just after. */
  stallAt(text: string, when: 'before' | 'after'): void
  isStalled(): boolean
  /** Delivers the bytes held back. */
  release(): void
}

/** Opens a proxy to `port`; it ends with the test. */
export async function openProxy(t: Test, port: number): Promise<StallableProxy> {
  const pairs = new Set<[Socket, Socket]>()
  let stalled = false
  let trap: { text: string; when: 'before' | 'after' } | null = null
  const proxy: StallableProxy = {
    port: 0,
    stall(how) {
      for (const socket of [...pairs].flat()) socket.pause()
      if (how === 'forever') pairs.clear()
      else stalled = true
    },
    stallAt(text, when) {
      trap = { text, when }
    },
    isStalled: () => stalled,
    release() {
      stalled = false
      for (const socket of [...pairs].flat()) socket.resume()
    },
  }
  const send = (from: Socket, to: Socket, bytes: Buffer) => {
    const caught = trap && bytes.includes(trap.text) ? trap.when : null
    if (caught) {
      trap = null
      proxy.stall()
    }
    if (caught === 'before') from.unshift(bytes)
    else to.write(bytes)
  }
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
    near.on('data', bytes => send(near, far, bytes))
    far.on('data', bytes => near.write(bytes))
    if (stalled) for (const socket of pair) socket.pause()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of [...pairs].flat()) socket.destroy()
    server.close()
  })
  proxy.port = (server.address() as AddressInfo).port
  return proxy
}
