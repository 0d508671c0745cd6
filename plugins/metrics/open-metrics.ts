import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import {
  importReads,
  indexesOpened,
  rejections,
  type StoreCall,
  searches,
  signIns,
  storeCalls,
  tokenRequests,
} from '../../common/events.js'
import type { IndexStatistics } from '../../safes/index/index-cache.js'
import { Durations, type Series } from './durations.js'

/** What is read when the metrics are. */
export interface Sources {
  version: string
  indexLimitBytes: number
  indexes(): IndexStatistics
}

/** The metrics of this process (docs/operation.md). */
export interface Metrics {
  /** The media type of `read`. */
  contentType: string
  read(): Promise<string>
  /** Counts a request that was answered. `route` is the pattern of a route: never a path, which strangers choose. */
  countRequest(method: string, route: string, status: number, ms: number): void
  /** Name, type, labels and meaning of every metric. */
  describe(): MetricDescription[]
  close(): void
}

export interface MetricDescription {
  name: string
  type: string
  labels: readonly string[]
  help: string
}

/** Upper bounds of histograms, in seconds. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const CALL_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5]
const WORK_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900]

/** The requests of one route with one method. */
interface RouteRequests {
  method: string
  route: string
  durations: Series
  statuses: Map<number, number>
}

/**
 * Defines all metrics. What happens with every request only adds to numbers; the rest is done when they are read
 * (docs/decisions/0062).
 */
export function openMetrics({ version, indexLimitBytes, indexes }: Sources): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const durations = <Name extends string>(...definition: ConstructorParameters<typeof Durations<Name>>) => {
    const histogram = new Durations(...definition)
    registry.registerMetric(histogram.metric)
    return histogram
  }

  new Gauge({
    name: 'svc_build_info',
    help: 'The version of the service. Always 1.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)

  const routes = new Map<string, RouteRequests>()
  new Counter({
    name: 'svc_http_requests_total',
    help: 'Answered requests by route. Requests for no route have the route “none”.',
    labelNames: ['method', 'route', 'status'],
    registers,
    collect() {
      this.reset()
      for (const { method, route, statuses } of routes.values())
        for (const [status, count] of statuses) this.inc({ method, route, status }, count)
    },
  })
  const requestDurations = durations(
    'svc_http_request_duration_seconds',
    'Time from the first byte of a request to the last of its response.',
    ['method', 'route'],
    REQUEST_SECONDS,
  )
  const rejected = new Counter({
    name: 'svc_rejections_total',
    help: 'Requests refused with 503 because of overload, or with 429 because their connection exceeded CALLS_PER_SECOND. Most of them are refused before routing and are not among svc_http_requests_total.',
    labelNames: ['reason'],
    registers,
  })
  const tokens = new Counter({
    name: 'svc_token_requests_total',
    help: 'Requests to the token endpoint. The result is “issued”, the error code of the response, or “failed”.',
    labelNames: ['grant_type', 'result'],
    registers,
  })
  const passwords = new Counter({
    name: 'svc_sign_ins_total',
    help: 'Sign-ins with a password: succeeded, failed or throttled.',
    labelNames: ['result'],
    registers,
  })
  const imports = durations(
    'svc_import_duration_seconds',
    'Files read, and runs of synced folders: staged, committed, unchanged or failed. Includes waiting for their turn.',
    ['kind', 'result'],
    WORK_SECONDS,
  )
  const searchTimes = durations(
    'svc_search_duration_seconds',
    'Ranking one question by an index.',
    [],
    CALL_SECONDS,
  ).of({})
  const opened = durations(
    'svc_index_open_duration_seconds',
    'Indexes of Safes built from rows, loaded from a snapshot, or failed. Includes waiting for the thread.',
    ['result'],
    WORK_SECONDS,
  )
  new Gauge({
    name: 'svc_index_bytes',
    help: 'Memory of the indexes in this process.',
    registers,
    collect() {
      this.set(indexes().bytes)
    },
  })
  new Gauge({
    name: 'svc_index_limit_bytes',
    help: 'INDEX_CACHE_MB in bytes.',
    registers,
  }).set(indexLimitBytes)
  new Counter({
    name: 'svc_index_lookups_total',
    help: 'Looks for the index of a Safe in memory that found the newest, an older one or none.',
    labelNames: ['found'],
    registers,
    collect() {
      this.reset()
      const { newest, older, none } = indexes()
      this.inc({ found: 'newest' }, newest)
      this.inc({ found: 'older' }, older)
      this.inc({ found: 'none' }, none)
    },
  })
  const storeDurations = durations(
    'svc_store_call_duration_seconds',
    'Statements of SQLite and Postgres by their first word, and commands of Redis. “connect” is the wait for a connection to Postgres.',
    ['store', 'operation'],
    CALL_SECONDS,
  )
  const storeErrors = new Counter({
    name: 'svc_store_errors_total',
    help: 'Statements and commands that failed.',
    labelNames: ['store', 'operation'],
    registers,
  })
  collectDefaultMetrics({ register: registry })

  const stores = {
    sqlite: new Map<string, Series>(),
    postgres: new Map<string, Series>(),
    redis: new Map<string, Series>(),
  }
  const storeSeries = (store: StoreCall['store'], operation: string): Series => {
    const known = stores[store].get(operation)
    if (known) return known
    const series = storeDurations.of({ store, operation })
    stores[store].set(operation, series)
    return series
  }
  const subscriptions = [
    storeCalls.subscribe(({ store, operation, ms, isFailed }) => {
      storeSeries(store, operation).observe(ms)
      if (isFailed) storeErrors.inc({ store, operation })
    }),
    rejections.subscribe(({ reason }) => rejected.inc({ reason })),
    tokenRequests.subscribe(({ grantType, result }) => tokens.inc({ grant_type: grantType, result })),
    signIns.subscribe(({ result }) => passwords.inc({ result })),
    importReads.subscribe(({ kind, result, ms }) => imports.of({ kind, result }).observe(ms)),
    searches.subscribe(({ ms }) => searchTimes.observe(ms)),
    indexesOpened.subscribe(({ how, ms }) => opened.of({ result: how }).observe(ms)),
  ]

  return {
    contentType: registry.contentType,
    read: () => registry.metrics(),
    countRequest(method, route, status, ms) {
      const key = `${method} ${route}`
      let requests = routes.get(key)
      if (!requests) {
        requests = { method, route, durations: requestDurations.of({ method, route }), statuses: new Map() }
        routes.set(key, requests)
      }
      requests.durations.observe(ms)
      requests.statuses.set(status, (requests.statuses.get(status) ?? 0) + 1)
    },
    describe: () =>
      registry.getMetricsAsArray().map(metric => {
        const { name, help, type, labelNames } = metric as unknown as MetricDescription & {
          labelNames: string[]
        }
        return { name, type, labels: labelNames, help }
      }),
    close() {
      for (const unsubscribe of subscriptions) unsubscribe()
    },
  }
}
