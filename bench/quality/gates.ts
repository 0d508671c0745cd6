import type { Measured } from './scores.js'

/** Minimum figures in percent (GRAPH §7). */
interface Gate {
  what: string
  least: number
  of(measured: Measured): number | null
}

const recall = (depth: 1 | 2 | 5 | 10, least: number): Gate => ({
  what: `@${depth}`,
  least,
  of: ({ engine }) => engine.recall[depth],
})
const withOtherWords = (depth: 1 | 10, least: number): Gate => ({
  what: `@${depth} with other words`,
  least,
  of: ({ otherWords }) => otherWords?.recall[depth] ?? null,
})
/** Languages must not be worse than with plain BM25. */
const notBelowBm25: Gate = {
  what: '@1 beyond BM25',
  least: 0,
  of: ({ engine, bm25 }) => engine.recall[1] - bm25.recall[1],
}
const answered = (least: number): Gate => ({
  what: 'answer in the text',
  least,
  of: ({ answered }) => answered,
})

const GATES: Record<string, Gate[]> = {
  '2wiki-101': [
    recall(2, 79),
    recall(5, 97),
    { what: '@5 with typos', least: 96, of: ({ typos }) => typos?.recall[5] ?? null },
    answered(86),
  ],
  'hotpot-dev200': [recall(2, 80), recall(5, 94), answered(95)],
  'musique-dev200': [recall(2, 49), recall(5, 66), answered(54)],
  'foam-docs': [recall(1, 43), recall(10, 71), withOtherWords(1, 62), withOtherWords(10, 94)],
  'xquad-de': [recall(1, 89), notBelowBm25],
  'xquad-es': [recall(1, 92), notBelowBm25],
  'invented names, lower case': [recall(5, 97)],
  'WordNet glosses': [recall(5, 70)],
}

/** Sets that are also asked with typos. */
export const hasTypoGate = (name: string): boolean =>
  GATES[name]?.some(({ what }) => what === '@5 with typos') ?? false

/** A line for each gate of the set; unknown figures are not judged. */
export function judged(measured: Measured): { line: string; missed: boolean }[] {
  return (GATES[measured.name] ?? []).map(({ what, least, of }) => {
    const got = of(measured)
    if (got === null) return { line: `not measured: ${what}, gate ${least}`, missed: false }
    const missed = got < least
    return { line: `${missed ? 'MISSED' : 'passed'}: ${what} ${got.toFixed(1)}, gate ${least}`, missed }
  })
}
