import { Counter, Gauge, type Registry } from 'prom-client'
import type { IndexStatistics } from '../../domain/safes/index/index-cache.js'

/** Defines the metrics of indexes in memory, which are read on each scrape. */
export function indexMetrics(registry: Registry, indexes: () => IndexStatistics, limitBytes: number): void {
  const registers = [registry]
  new Gauge({
    name: 'svc_index_bytes',
    help: 'Memory of the indexes in this process.',
    registers,
    collect() {
      this.set(indexes().bytes)
    },
  })
  new Gauge({ name: 'svc_index_limit_bytes', help: 'INDEX_CACHE_MB in bytes.', registers }).set(limitBytes)
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
}
