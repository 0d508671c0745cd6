import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** A load balancer: each request goes to the next of `urls`, for all clients. Returns its address. */
export async function roundRobin(t: Test, urls: readonly string[]): Promise<string> {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const proxy = createServer((incoming, outgoing) => {
    const target = urls[turn++ % urls.length]
    const { method, url, headers } = incoming
    const forwarded = request(`${target}${url}`, { method, headers, agent }, response => {
      outgoing.writeHead(response.statusCode ?? 502, { ...response.headers, 'x-process': target })
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(forwarded)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    agent.destroy()
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}
