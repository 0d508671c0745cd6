import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A TCP proxy that acts once a client has sent a number of bytes. */
export interface CutProxy {
  url: string
  /** The port of the server. */
  to: number
  /** Breaks all connections. */
  cut(): void
  /** Runs `action` once clients have sent this many more bytes. */
  at(bytes: number, action: () => void): void
}

export async function openCutProxy(t: Test): Promise<CutProxy> {
  const sockets = new Set<Socket>()
  let trap = { left: Number.POSITIVE_INFINITY, action: () => {} }
  const proxy: CutProxy = {
    url: '',
    to: 0,
    cut() {
      // Not resetAndDestroy(): on a socket that is ending it fails, the socket stays open, and Node 20 never exits.
      for (const socket of sockets) socket.destroy()
    },
    at(bytes, action) {
      trap = { left: bytes, action }
    },
  }
  const server = createServer(near => {
    const far = connect(proxy.to, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', bytes => {
      far.write(bytes)
      trap.left -= bytes.length
      if (trap.left > 0) return
      const { action } = trap
      trap = { left: Number.POSITIVE_INFINITY, action: () => {} }
      action()
    })
    far.pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    proxy.cut()
    server.close()
  })
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}
