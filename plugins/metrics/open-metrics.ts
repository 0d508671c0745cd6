import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { IndexStatistics } from '../../domain/safes/index/index-cache.js'
import { accessMetrics, storeMetrics, workMetrics } from './event-metrics.js'
import { indexMetrics } from './index-metrics.js'
import { type CountRequest, requestMetrics } from './request-metrics.js'

/** Sources read on each scrape. */
export interface MetricSources {
  version: string
  indexLimitBytes: number
  indexes(): IndexStatistics
}

/** The metrics of this process (docs/operation.md). */
export interface Metrics {
  /** The media type of `read`. */
  contentType: string
  read(): Promise<string>
  countRequest: CountRequest
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

/**
 * Defines all metrics. Requests only add to numbers; the rest is computed on each scrape
 * (docs/decisions/0062).
 */
export function openMetrics({ version, indexLimitBytes, indexes }: MetricSources): Metrics {
  const registry = new Registry()
  new Gauge({
    name: 'svc_build_info',
    help: 'The version of the service. Always 1.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)
  const countRequest = requestMetrics(registry)
  const subscriptions = [...accessMetrics(registry), ...workMetrics(registry)]
  indexMetrics(registry, indexes, indexLimitBytes)
  subscriptions.push(...storeMetrics(registry))
  collectDefaultMetrics({ register: registry })
  return {
    contentType: registry.contentType,
    read: () => registry.metrics(),
    countRequest,
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
