import { type Expected, WORDS } from './words.js'

const PATTERNS = (Object.keys(WORDS.asking) as Expected[]).map((expected): [Expected, RegExp] => {
  const spaced = WORDS.asking[expected].replaceAll('_?', '\\s?').replaceAll('_', '\\s+').replace(/ /g, '|')
  return [expected, new RegExp(`(?<![\\p{L}\\p{N}])(?:${spaced})(?![\\p{L}\\p{N}])`, 'u')]
})

/** What the first question word asks for, in any language that passages can have; null for others. */
export function expectedOf(question: string): Expected | null {
  const lower = question.slice(0, 400).toLowerCase().trim()
  let [found, first]: [Expected | null, number] = [null, Number.POSITIVE_INFINITY]
  for (const [expected, pattern] of PATTERNS) {
    const at = pattern.exec(lower)?.index ?? first
    if (at < first) [found, first] = [expected, at]
  }
  return found
}
