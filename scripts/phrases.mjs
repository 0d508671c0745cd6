/**
 * Phrases that have to be read twice, each with what to write instead. `test/unit/words.test.ts` holds them over texts,
 * documents and comments, `commit-titles.mjs` over commits.
 * @type {[phrase: RegExp, instead: string][]}
 */
const PHRASES = [
  [/(?<!\bthere) is no (?!longer)/i, 'what it is'],
  [/, too\b/i, 'also, or nothing'],
  [/\bof which\b/i, 'a sentence of its own'],
  [/\b(whoever|whatever)\b/i, 'anyone who, everything that'],
  [/(?:^|[.:] )What (?:was|were|has|had|could|of)\b/, 'the noun that is meant'],
  [/ (?:stands?|lies|brings?|brought) /i, 'is, are, adds'],
  [/\b(?:log|page|file|proxy) (?:says|tells)\b/i, 'contains, sets, see the log'],
  [/ anew\b/i, 'again, new'],
  [/ mend(?:s|ed)?\b/i, 'fix'],
  [/ go(?:es)? on\b/i, 'continue, keep working'],
  [/\bin another way\b/i, 'differently, another way to'],
]

/** What to write instead of each phrase in `text`. */
export const betterWords = text =>
  PHRASES.filter(([phrase]) => phrase.test(text)).map(([, instead]) => instead)
