import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A way to a server of 127.0.0.1 on which nothing moves any more while `stalled`. */
export async function startLine(t: Test, port: number) {
  const pairs = new Set<[Socket, Socket]>()
  const line = {
    port: 0,
    stall: () => {
      for (const pair of pairs) for (const socket of pair) socket.pause()
      stalled = true
    },
    resume: () => {
      stalled = false
      for (const pair of pairs) for (const socket of pair) socket.resume()
    },
  }
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
    near.on('data', bytes => far.write(bytes))
    far.on('data', bytes => near.write(bytes))
    if (stalled) for (const socket of pair) socket.pause()
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  t.teardown(() => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
    server.close()
  })
  line.port = (server.address() as { port: number }).port
  return line
}
