import type { FastifyInstance, InjectOptions } from 'fastify'
import { encode, type Request } from './plan.js'
import type { Answer } from './properties.js'
import type { World } from './world.js'

/** Sends a request without a socket: only requests that Node's own parser would accept. */
export async function inject(app: FastifyInstance, request: Request, world: World): Promise<Answer> {
  const { method, path, query, body } = request
  const headers = Object.fromEntries(
    request.headers
      .filter(([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && value.length < 16_000)
      .map(([name, value]) => [name.toLowerCase(), value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')]),
  )
  const response = await app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url: addressOf(path, query),
    headers,
    remoteAddress: world.address,
    ...(body && { payload: body }),
  })
  const found = Object.entries(response.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
  )
  return { status: response.statusCode, headers: found, body: response.body }
}

/** As a URL parser accepts it; requests that it would refuse go over sockets only. */
function addressOf(path: string, query: string): string {
  const address = query ? `${path}?${query}` : path
  const plain = address.replace(/[^\x21-\x7e]|[\\#]/gu, encode).replace(/^\/*/, '/')
  return URL.canParse(plain, 'http://localhost') ? plain : '/'
}
