import { Counter, type Registry } from 'prom-client'
import {
  importReads,
  indexesOpened,
  logLinesDropped,
  rejections,
  type StoreCall,
  searches,
  signIns,
  storeCalls,
  tokenRequests,
} from '../../platform/common/events.js'
import { Durations, type Series } from './durations.js'

/** Upper bounds of histograms, in seconds. */
const CALL_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5]
const WORK_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900]

/** Stops counting events. */
type Unsubscribe = () => void

/** Defines the metrics of refused requests, tokens and sign-ins. */
export function accessMetrics(registry: Registry): Unsubscribe[] {
  const registers = [registry]
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
  return [
    rejections.subscribe(({ reason }) => rejected.inc({ reason })),
    tokenRequests.subscribe(({ grantType, result }) => tokens.inc({ grant_type: grantType, result })),
    signIns.subscribe(({ result }) => passwords.inc({ result })),
  ]
}

/** Defines the metrics of imports, searches, indexes that are opened, and the log. */
export function workMetrics(registry: Registry): Unsubscribe[] {
  const imports = new Durations(
    'svc_import_duration_seconds',
    'Files read, and runs of synced folders: staged, committed, unchanged or failed. Includes waiting for their turn.',
    ['kind', 'result'],
    WORK_SECONDS,
  ).in(registry)
  const searchTimes = new Durations(
    'svc_search_duration_seconds',
    'Ranking one question by an index.',
    [],
    CALL_SECONDS,
  )
    .in(registry)
    .of({})
  const opened = new Durations(
    'svc_index_open_duration_seconds',
    'Indexes of Safes built from rows, loaded from a snapshot, or failed. Includes waiting for the thread.',
    ['result'],
    WORK_SECONDS,
  ).in(registry)
  const dropped = new Counter({
    name: 'svc_log_lines_dropped_total',
    help: 'Log lines that were dropped because the log could not be written: a full disk, or a reader that stalls.',
    registers: [registry],
  })
  return [
    importReads.subscribe(({ kind, result, ms }) => imports.of({ kind, result }).observe(ms)),
    logLinesDropped.subscribe(() => dropped.inc()),
    searches.subscribe(({ ms }) => searchTimes.observe(ms)),
    indexesOpened.subscribe(({ how, ms }) => opened.of({ result: how }).observe(ms)),
  ]
}

/** Defines the metrics of statements and commands. */
export function storeMetrics(registry: Registry): Unsubscribe[] {
  const durations = new Durations(
    'svc_store_call_duration_seconds',
    'Statements of SQLite and Postgres by their first word, and commands of Redis. “connect” is the wait for a connection to Postgres.',
    ['store', 'operation'],
    CALL_SECONDS,
  ).in(registry)
  const errors = new Counter({
    name: 'svc_store_errors_total',
    help: 'Statements and commands that failed.',
    labelNames: ['store', 'operation'],
    registers: [registry],
  })
  const stores = {
    sqlite: new Map<string, Series>(),
    postgres: new Map<string, Series>(),
    redis: new Map<string, Series>(),
  }
  const seriesOf = (store: StoreCall['store'], operation: string): Series => {
    const known = stores[store].get(operation)
    if (known) return known
    const series = durations.of({ store, operation })
    stores[store].set(operation, series)
    return series
  }
  return [
    storeCalls.subscribe(({ store, operation, ms, isFailed }) => {
      seriesOf(store, operation).observe(ms)
      if (isFailed) errors.inc({ store, operation })
    }),
  ]
}
