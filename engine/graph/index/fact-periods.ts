import { MoreStrings, type Strings, StringsBuilder } from '../collections/strings.js'
import { periodOf } from '../text/date.js'

/** When facts are true (ADR 55). Takes no memory per fact while no fact of the Safe has a date. */
export interface FactPeriods {
  /** Fact → its period; 0: without dates. Empty when that is true of all facts. */
  of: Uint32Array
  /** Distinct periods as written by `periodText`; number 0 is empty. */
  texts: Strings
  /** The first and the last millisecond of each; infinite where it is open. */
  from: Float64Array
  to: Float64Array
  /** 1: a newer fact has taken its place. */
  superseded: Uint8Array
}

/**
 * Marks a beginning or end that is not stated: the fact superseded another one then, or was superseded. Behind an end it
 * marks a superseded fact whose end is stated.
 */
const [BEGUN_BY, ENDED_BY] = ['>', '<']

/** Collects periods, each written as its ends with a slash in between: "2019/2021-05", "/2021-05". */
export class FactPeriodsBuilder {
  readonly #texts: StringsBuilder | MoreStrings
  readonly #from: number[]
  readonly #to: number[]
  readonly #superseded: number[]

  /** @param before periods that come before those that are added */
  constructor(before?: FactPeriods) {
    this.#texts = before ? new MoreStrings(before.texts) : new StringsBuilder()
    this.#from = [...(before?.from ?? [])]
    this.#to = [...(before?.to ?? [])]
    this.#superseded = [...(before?.superseded ?? [])]
    if (!before) this.addText('')
  }

  /** The number of a period; 0 when neither end is known. */
  add(from: string | null | undefined, to: string | null | undefined): number {
    return from || to ? this.addText(`${from ?? ''}/${to ?? ''}`) : 0
  }

  /** The same period with ends that follow from other facts, where it states none; `end`: it is superseded. */
  implied(period: number, begin: string | null, end: string | null): number {
    const [from = '', to = ''] = this.#texts.at(period).split('/')
    const superseded = to === '' ? `${ENDED_BY}${end}` : `${to}${ENDED_BY}`
    const first = from === '' && begin !== null ? `${BEGUN_BY}${begin}` : from
    return this.addText(`${first}/${end === null ? to : superseded}`)
  }

  isSuperseded(period: number): boolean {
    return this.#superseded[period] === 1
  }

  build(of: Uint32Array): FactPeriods {
    return {
      of,
      texts: this.#texts.build(),
      from: Float64Array.from(this.#from),
      to: Float64Array.from(this.#to),
      superseded: Buffer.from(this.#superseded),
    }
  }

  /** The number of a period as written. */
  addText(text: string): number {
    const number = this.#texts.add(text)
    if (number < this.#from.length) return number
    const [from = '', to = ''] = text.split('/')
    this.#from.push(from === '' ? Number.NEGATIVE_INFINITY : periodOf(from.replace(BEGUN_BY, '')).from)
    if (to === '') this.#to.push(Number.POSITIVE_INFINITY)
    else if (to.startsWith(ENDED_BY)) this.#to.push(periodOf(to.slice(1)).from - 1)
    else this.#to.push(periodOf(to.replace(ENDED_BY, '')).to)
    this.#superseded.push(Number(to.includes(ENDED_BY)))
    return number
  }
}

/**
 * The stated beginning, and the end: stated, or the day on which it was superseded at the latest; empty if unknown. Also
 * whether a newer fact has taken its place.
 */
export function periodEnds(text: string): { from: string; to: string; isSuperseded: boolean } {
  const [from = '', to = ''] = text.split('/')
  return {
    from: from.startsWith(BEGUN_BY) ? '' : from,
    to: to.startsWith(ENDED_BY) ? (to.slice(1).split('T')[0] ?? '') : to.replace(ENDED_BY, ''),
    isSuperseded: to.includes(ENDED_BY),
  }
}
