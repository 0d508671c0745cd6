/** Prefixes that "ge" follows in a participle: "eingebaut". */
const PREFIXES = ['', ...'ab an auf aus bei ein her hin mit nach um vor zu'.split(' ')]
/** Minimum letters of a root. */
const MIN_ROOT = 3

/**
 * Verbs and nouns with the root of a German word, which stemmers tell apart: a question asks how long something "dauert", or
 * how to "zählt" it, and a note has "Dauer" and "Zählung". Some of the forms do not exist.
 */
export function germanForms(written: string): string[] {
  const word = written.toLowerCase()
  const root = rootOf(word, word === written)
  return root.length < MIN_ROOT ? [] : [root, `${root}en`, `${root}ung`]
}

/** The word without its ending and the "ge" of a participle; empty if it is neither a verb nor a noun with "-ung". */
function rootOf(word: string, isVerb: boolean): string {
  const endings = isVerb && !word.endsWith('st') ? ['ungen', 'ung', 'en', 'et', 't'] : ['ungen', 'ung']
  const ending = endings.find(one => word.endsWith(one))
  if (ending === undefined) return ''
  const rest = word.slice(0, -ending.length)
  const prefix = PREFIXES.find(one => rest.startsWith(`${one}ge`))
  if (prefix === undefined || ending.startsWith('u')) return rest
  const root = rest.slice(prefix.length + 2)
  return root.length < MIN_ROOT ? rest : prefix + root
}
