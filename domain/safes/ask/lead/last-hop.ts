import { normalizeName, terms } from '../../../../engine/graph/index.js'
import type { AnswerFact } from '../answer.js'
import { countWords } from './words.js'

interface Asked {
  stems: ReadonlySet<string>
  /** The names that the question has. */
  linked: readonly string[]
}

/**
 * The fact at the end of a chain that a question goes along: "Where does the leader of X live?" has "A leads X" and, of
 * what is left of its words, "A lives in B". Null if there are not two of them.
 */
export function lastHop(facts: readonly AnswerFact[], { stems, linked }: Asked): AnswerFact | null {
  const named = new Set(linked.map(normalizeName))
  const words = without(stems, linked)
  for (const first of facts) {
    if (!endsOf(first).some(end => named.has(end)) || !isAsked(first, words)) continue
    const last = follow(first, facts, named, words)
    if (last !== first) return last
  }
  return null
}

/** Goes on as long as a fact that leads on to a new name has words of the question that no fact before has. */
function follow(
  first: AnswerFact,
  facts: readonly AnswerFact[],
  named: ReadonlySet<string>,
  asked: ReadonlySet<string>,
): AnswerFact {
  const known = new Set(named)
  let [last, words] = [first, asked]
  for (;;) {
    const ends = endsOf(last).filter(name => !known.has(name))
    // Of a fact between two names of the question, both lead on.
    const from = ends.length > 0 ? ends : endsOf(last)
    for (const name of from) known.add(name)
    words = without(words, [last.predicate])
    const next = facts.find(
      fact =>
        endsOf(fact).some(name => from.includes(name)) &&
        endsOf(fact).some(name => !known.has(name)) &&
        isAsked(fact, words),
    )
    if (!next) return last
    last = next
  }
}

const endsOf = ({ subject, object }: AnswerFact) => [normalizeName(subject), normalizeName(object)]

const isAsked = ({ predicate }: AnswerFact, words: ReadonlySet<string>) => countWords(predicate, words) > 0

/** Words without those of some texts. */
function without(words: ReadonlySet<string>, texts: readonly string[]): ReadonlySet<string> {
  const said = new Set(texts.flatMap(terms))
  return new Set([...words].filter(word => !said.has(word)))
}
