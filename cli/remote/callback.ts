import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const PATH = '/callback'

/** The loopback redirect of a native app (RFC 8252 §7.3): a port of this machine, open while a person signs in. */
export class Callback {
  readonly #server: Server
  readonly #received: Promise<URL>

  private constructor(server: Server, received: Promise<URL>) {
    this.#server = server
    this.#received = received
  }

  /** Listens for the answer to the request with this `state`; other requests change nothing. */
  static async open(state: string): Promise<Callback> {
    const server = createServer()
    const received = new Promise<URL>(resolve => {
      server.on('request', ({ method, url = '' }, response) => {
        const address = URL.canParse(url, 'http://127.0.0.1') ? new URL(url, 'http://127.0.0.1') : null
        const isAnswer = method === 'GET' && address?.pathname === PATH
        if (!isAnswer || address.searchParams.get('state') !== state)
          return page(response, 404, 'There is nothing at this address.')
        const said = address.searchParams.has('code') ? 'svc has your approval.' : 'svc was not connected.'
        page(response, 200, `${said} You can close this window.`)
        resolve(address)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Callback(server, received)
  }

  get uri(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${PATH}`
  }

  /** Resolves with the address that the browser was redirected to. */
  received(): Promise<URL> {
    return this.#received
  }

  close(): void {
    this.#server.close()
    this.#server.closeIdleConnections()
  }
}

/** A page without requests of its own; the address with the code is not passed on. */
function page(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    Connection: 'close',
  })
  response.end(`<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>svc</title>
<h1>${sentence}</h1>
</html>
`)
}
