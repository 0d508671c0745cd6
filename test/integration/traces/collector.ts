import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Test } from 'tap'

/** A span as a collector receives it (opentelemetry-proto, trace/v1, in JSON). */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Record<string, string>
  links: { traceId: string; spanId: string }[]
  isError: boolean
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: string | number }
}

const attributesOf = (list: Attribute[] = []) =>
  Object.fromEntries(list.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]))

/** A collector of OTLP over HTTP as JSON. `isSilent`: it accepts requests and never answers them. */
export async function startCollector(t: Test, isSilent = false) {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  const received: { url: string; headers: IncomingHttpHeaders; resource: Record<string, string> }[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    if (isSilent) return
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      received.push({
        url: request.url ?? '',
        headers: request.headers,
        resource: attributesOf(resource.attributes),
      })
      for (const scope of scopeSpans)
        for (const span of scope.spans)
          spans.push({
            ...span,
            attributes: attributesOf(span.attributes),
            links: span.links ?? [],
            isError: span.status?.code === 2,
          })
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans, bodies, received }
}
