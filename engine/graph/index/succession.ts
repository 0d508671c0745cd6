import type { FactTimes, Succession } from '../model.js'
import { periodOf } from '../text/date.js'

/** A fact of a predicate with one value at a time, and when it began according to its rows. */
interface Value {
  fact: number
  subject: number
  object: number
  time: number
  date: string
  /** Whether the time is that of its beginning. Otherwise it is when the fact was learned. */
  isStated: boolean
}

/** The import of a relation, and its dates. */
type DatedRow = FactTimes & { importId: number }

/** When a fact that supersedes others began, and when one that is superseded ended. */
interface Ends {
  begin: string | null
  end: string | null
}

/** Finds which facts newer ones supersede: those of the same subject and predicate that began earlier (ADR 55). */
export class SuccessionFinder {
  readonly #succession: Succession
  /** Predicate → fact → value. */
  readonly #values = new Map<number, Map<number, Value>>()

  constructor(succession: Succession) {
    this.#succession = succession
  }

  /** Whether a predicate, in the spelling of the index, has one value at a time. */
  follows(predicate: string): boolean {
    return this.#succession.predicates.has(predicate)
  }

  add(fact: number, predicate: number, [subject, object]: readonly [number, number], row: DatedRow): void {
    const values = this.#values.get(predicate) ?? new Map<number, Value>()
    this.#values.set(predicate, values)
    const known = values.get(fact)
    const value = { fact, subject, object, ...this.#beginOf(row) }
    // A stated beginning counts more than when the fact was learned, and the last time that it was learned most.
    const isBetter =
      !known ||
      (value.isStated !== known.isStated ? value.isStated : !value.isStated && value.time > known.time)
    if (isBetter) values.set(fact, value)
  }

  /** The facts that supersede others or are superseded. */
  ends(): Map<number, Ends> {
    const ends = new Map<number, Ends>()
    for (const values of this.#values.values()) {
      const sorted = [...values.values()].sort((a, b) => a.subject - b.subject || a.time - b.time)
      for (let start = 0, end = 0; start < sorted.length; start = end) {
        while (sorted[end]?.subject === sorted[start]?.subject && end < sorted.length) end++
        if (end - start > 1) addEnds(ends, sorted.slice(start, end))
      }
    }
    return ends
  }

  #beginOf({ importId, validFrom, validTo, learnedOn }: DatedRow): Pick<Value, 'time' | 'date' | 'isStated'> {
    const date = validFrom || validTo
    if (date) return { time: periodOf(date).from, date, isStated: true }
    if (learnedOn) return { time: periodOf(learnedOn).from, date: learnedOn, isStated: false }
    const time = this.#succession.learnedOn(importId)
    return { time, date: new Date(time).toISOString(), isStated: false }
  }
}

/**
 * A fact ends when the next one with another object begins. Facts that began at the same time stay side by side. The
 * values are in order of time.
 */
function addEnds(ends: Map<number, Ends>, values: readonly Value[]): void {
  const next: (Value | undefined)[] = []
  // Values of one time are a block. `later` is the block after it, `sole` its object if it has only one.
  let later = values.length
  let sole: number | null = null
  for (let end = values.length; end > 0; ) {
    let start = end - 1
    while (start > 0 && values[start - 1]?.time === values[start]?.time) start--
    const objects = new Set<number>()
    for (let at = start; at < end; at++) {
      const object = values[at]?.object ?? 0
      objects.add(object)
      next[at] = object === sole ? next[later] : values[later]
    }
    later = start
    sole = objects.size === 1 ? (values[start]?.object ?? null) : null
    end = start
  }
  const begun = new Set(next.map(value => value?.time))
  for (const [at, { fact, time, date }] of values.entries()) {
    const begin = begun.has(time) ? date : null
    const end = next[at]?.date ?? null
    if (begin !== null || end !== null) ends.set(fact, { begin, end })
  }
}
