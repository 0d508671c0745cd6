import { Counter, type Registry } from 'prom-client'
import { Durations, type Series } from './durations.js'

/** Upper bounds of a histogram, in seconds. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The requests of one route with one method. */
interface RouteRequests {
  method: string
  route: string
  durations: Series
  statuses: Map<number, number>
}

/** Counts a request that was answered. `route` is the pattern of a route: never a path, which strangers choose. */
export type CountRequest = (method: string, route: string, status: number, ms: number) => void

/** Defines the metrics of requests, and returns a function that counts one. */
export function requestMetrics(registry: Registry): CountRequest {
  const routes = new Map<string, RouteRequests>()
  new Counter({
    name: 'svc_http_requests_total',
    help: 'Answered requests by route. Requests for no route have the route “none”.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { method, route, statuses } of routes.values())
        for (const [status, count] of statuses) this.inc({ method, route, status }, count)
    },
  })
  const durations = new Durations(
    'svc_http_request_duration_seconds',
    'Time from the first byte of a request to the last of its response.',
    ['method', 'route'],
    REQUEST_SECONDS,
  ).in(registry)
  return (method, route, status, ms) => {
    const key = `${method} ${route}`
    let requests = routes.get(key)
    if (!requests) {
      requests = { method, route, durations: durations.of({ method, route }), statuses: new Map() }
      routes.set(key, requests)
    }
    requests.durations.observe(ms)
    requests.statuses.set(status, (requests.statuses.get(status) ?? 0) + 1)
  }
}
