import { seeded } from '../quality/typos.js'

/** Safes of a service, numbered in the order of their popularity. */
export interface Catalogue {
  /** Facts of each. */
  facts: Uint32Array
  /** Share of all questions that go to each, and to those before it. */
  upTo: Float64Array
}

const MOST_FACTS = 1_000_000
/** Of the Safe in the middle. */
const MEDIAN_FACTS = 100

/** Sizes and popularity follow Zipf's law (1 ÷ rank), independently of each other. */
export function catalogue(safes: number): Catalogue {
  const random = seeded(1)
  const facts = Uint32Array.from({ length: safes }, (_, at) =>
    Math.min(MOST_FACTS, Math.ceil((MEDIAN_FACTS * safes) / 2 / (at + 1))),
  )
  for (let at = safes - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const [one = 0, two = 0] = [facts[at], facts[other]]
    facts[at] = two
    facts[other] = one
  }
  const upTo = new Float64Array(safes)
  let sum = 0
  for (let at = 0; at < safes; at++) {
    sum += 1 / (at + 1)
    upTo[at] = sum
  }
  for (let at = 0; at < safes; at++) upTo[at] = (upTo[at] ?? 0) / sum
  return { facts, upTo }
}

/** The Safe that a random number between 0 and 1 falls on. */
export function pick({ upTo }: Catalogue, at: number): number {
  let [low, high] = [0, upTo.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((upTo[middle] ?? 1) < at) low = middle + 1
    else high = middle
  }
  return low
}
