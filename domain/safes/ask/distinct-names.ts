import { normalizeName } from '../../../engine/graph/index.js'

/**
 * Names that distinguish the entities of an answer: when several have the same name, the key is appended, as
 * in "bank (bank.n.01)". `findName` accepts such names.
 */
export function distinctNames(names: ReadonlyMap<string, string>): Map<string, string> {
  const times = new Map<string, number>()
  for (const name of names.values()) {
    const folded = normalizeName(name)
    times.set(folded, (times.get(folded) ?? 0) + 1)
  }
  const distinct = [...names].map(([key, name]): [string, string] => {
    const folded = normalizeName(name)
    return [key, folded !== key && (times.get(folded) ?? 0) > 1 ? `${name} (${key})` : name]
  })
  return new Map(distinct)
}
