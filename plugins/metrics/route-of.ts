import type { FastifyRequest } from 'fastify'

/** The pattern of the request's route without constraints of its parameters, or `none`. Never a path. */
export function routeOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  if (url === undefined || request.is404) return 'none'
  const begin = url.indexOf('(')
  return begin === -1 ? url : url.slice(0, begin) + url.slice(url.lastIndexOf(')') + 1)
}
