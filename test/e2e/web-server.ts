import { createServer, type RequestListener } from 'node:http'
import type { Test } from 'tap'

/** A web server of the test's own, on a free port of loopback, closed when the test ends. Returns its origin. */
export async function serve(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  t.teardown(() => new Promise(closed => server.close(closed).closeAllConnections()))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}
