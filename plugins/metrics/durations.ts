import type { Histogram, MetricValueWithName, Registry } from 'prom-client'

/** The durations of one kind of operation. */
export class Series {
  sum = 0
  count = 0
  readonly #bounds: readonly number[]
  /** Durations up to each bound and above the one before. */
  readonly #counts: number[]

  constructor(boundsMs: readonly number[]) {
    this.#bounds = boundsMs
    this.#counts = boundsMs.map(() => 0)
  }

  observe(ms: number): void {
    this.sum += ms
    this.count++
    const bounds = this.#bounds
    for (let i = 0; i < bounds.length; i++) {
      if (ms > (bounds[i] as number)) continue
      ;(this.#counts[i] as number)++
      return
    }
  }

  /** The number of durations up to each bound. */
  cumulative(): number[] {
    let sum = 0
    return this.#counts.map(count => {
      sum += count
      return sum
    })
  }
}

type Labels<Name extends string> = Record<Name, string>

/**
 * A histogram for a `Registry`. Observing only adds to numbers; prom-client's own hashes the labels
 * each time (docs/decisions/0062).
 */
export class Durations<Name extends string = string> {
  readonly type = 'histogram'
  readonly aggregator = 'sum'
  readonly name: string
  readonly help: string
  readonly labelNames: readonly Name[]
  readonly #boundsSeconds: readonly number[]
  readonly #series = new Map<string, { labels: Labels<Name>; series: Series }>()

  constructor(name: string, help: string, labelNames: readonly Name[], boundsSeconds: readonly number[]) {
    this.name = name
    this.help = help
    this.labelNames = labelNames
    this.#boundsSeconds = boundsSeconds
  }

  /** The series with these labels. Store it if it is observed often. */
  of(labels: Labels<Name>): Series {
    const key = this.labelNames.map(name => labels[name]).join(' ')
    const known = this.#series.get(key)
    if (known) return known.series
    const series = new Series(this.#boundsSeconds.map(seconds => seconds * 1000))
    this.#series.set(key, { labels, series })
    return series
  }

  /** The data a registry reads. */
  async get() {
    const { name, help, type, aggregator } = this
    return { name, help, type, aggregator, values: [...this.#values()] }
  }

  /** Adds it to a registry, which only calls `get` but requires a class of prom-client. */
  in(registry: Registry): this {
    registry.registerMetric(this as unknown as Histogram)
    return this
  }

  *#values(): Generator<MetricValueWithName<string>> {
    for (const { labels, series } of this.#series.values()) {
      const cumulative = series.cumulative()
      for (const [i, seconds] of this.#boundsSeconds.entries())
        yield this.#value('_bucket', { ...labels, le: String(seconds) }, cumulative[i] ?? 0)
      yield this.#value('_bucket', { ...labels, le: '+Inf' }, series.count)
      yield this.#value('_sum', labels, series.sum / 1000)
      yield this.#value('_count', labels, series.count)
    }
  }

  #value(suffix: string, labels: Record<string, string>, value: number): MetricValueWithName<string> {
    return { metricName: `${this.name}${suffix}`, labels, value }
  }
}
