/** Maximum phrases per question, and maximum characters of each. */
const MAX = 6
const MAX_LENGTH = 80

/** Additional phrases for a question, within bounds. */
interface OtherWords {
  phrases: string[]
  /** Sentences about phrases that were left out or shortened. */
  notes: string[]
}

/**
 * Reads `other_words` as assistants and people write them: a list, a text with commas, semicolons or line
 * breaks between phrases, or a JSON list inside a text. Duplicates count once. Of too many, the first are
 * used, because the best come first, and long ones are shortened: partial help is better than an error (RULES
 * X14).
 */
export function otherWordsOf(otherWords: string | readonly string[] | null | undefined): OtherWords {
  const phrases = new Map<string, string>()
  let cut = false
  for (const phrase of phrasesOf(
    typeof otherWords === 'string' ? fromText(otherWords) : (otherWords ?? []),
  )) {
    const short = phrase.length > MAX_LENGTH ? beginningOf(phrase) : phrase
    cut ||= short !== phrase
    const folded = short.toLowerCase()
    if (phrases.has(folded)) continue
    if (phrases.size === MAX) {
      cut = true
      break
    }
    phrases.set(folded, short)
  }
  const note = `"other_words" takes at most ${MAX} phrases of at most ${MAX_LENGTH} characters; the rest was left out.`
  return { phrases: [...phrases.values()], notes: cut ? [note] : [] }
}

/** Some assistants send a list as JSON text. */
function fromText(text: string): readonly string[] {
  if (!text.trimStart().startsWith('[')) return [text]
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) return list.filter(item => typeof item === 'string')
  } catch {}
  return [text]
}

function* phrasesOf(texts: readonly string[]): Generator<string> {
  for (const text of texts) {
    for (const part of text.split(/[,;\r\n]/)) {
      const phrase = part.replace(/\s+/g, ' ').trim()
      if (phrase !== '') yield phrase
    }
  }
}

/** Up to the last complete word that fits; never half of a surrogate pair. */
function beginningOf(phrase: string): string {
  const cut = phrase.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '')
  const blank = phrase[MAX_LENGTH] === ' ' ? -1 : cut.lastIndexOf(' ')
  return blank > 0 ? cut.slice(0, blank) : cut
}
