import { Asked } from '../domain/safes/ask/lead/asked.js'
import { terms } from '../engine/graph/index.js'

/** The words of a question in English, all with the same weight. */
export function askedIn(question: string): Asked {
  const stems = [...new Set(terms(question))]
  return new Asked(
    stems.map(stem => ({ stems: [stem], worth: 1 / stems.length })),
    question,
  )
}
