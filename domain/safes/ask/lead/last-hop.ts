import { normalizeName } from '../../../../engine/graph/index.js'
import type { AnswerFact } from '../answer.js'
import type { Asked } from './asked.js'

/**
 * The last fact of a chain that a question follows: "Where does the leader of X live?" uses "A leads X", then "A lives in B"
 * for the remaining words. Null if the chain is shorter than two facts. `linked`: the names in the question.
 */
export function lastHop(
  facts: readonly AnswerFact[],
  asked: Asked,
  linked: readonly string[],
): AnswerFact | null {
  const named = new Set(linked.map(normalizeName))
  const words = ~asked.in(linked.join(' '))
  for (const first of facts) {
    if (!endsOf(first).some(end => named.has(end)) || (asked.in(first.predicate) & words) === 0) continue
    const last = follow(first, facts, asked, named, words)
    if (last !== first) return last
  }
  return null
}

/** Continues while a fact with a new name has words of the question that no earlier fact has. */
function follow(
  first: AnswerFact,
  facts: readonly AnswerFact[],
  asked: Asked,
  named: ReadonlySet<string>,
  all: number,
): AnswerFact {
  const known = new Set(named)
  let [last, words] = [first, all]
  for (;;) {
    const ends = endsOf(last).filter(name => !known.has(name))
    // A fact between two names of the question can be followed in both directions.
    const from = ends.length > 0 ? ends : endsOf(last)
    for (const name of from) known.add(name)
    words &= ~asked.in(last.predicate)
    const next = facts.find(
      fact =>
        endsOf(fact).some(name => from.includes(name)) &&
        endsOf(fact).some(name => !known.has(name)) &&
        (asked.in(fact.predicate) & words) !== 0,
    )
    if (!next) return last
    last = next
  }
}

const endsOf = ({ subject, object }: AnswerFact) => [normalizeName(subject), normalizeName(object)]
