import { seeded } from '../quality/typos.js'

const predicates =
  'knows,works for,leads,founded,wrote,owns,supplies,lives in,is part of,borders,produced,funds,replaced,' +
  'translated,published,reviewed,was born in,studied at,married,defeated,visited,is located in,maintains,painted'
const syllables = 'ba ce di fo gu ha ke li mo nu pa re si to va xe yo zan tor mil'.split(' ')
const TYPES = 300
const PER_ENTITY = 5

/**
 * The lines of a JSONL file with about so many facts, the same in every run: things of 300 types, of which one is the
 * object of every twentieth relation, relations of 24 kinds, and a passage about every other thing.
 */
export function* lines(facts: number): Generator<string> {
  const random = seeded(facts)
  const pick = (count: number) => Math.floor(random() * count)
  const word = () => {
    const text = Array.from({ length: 2 + pick(2) }, () => syllables[pick(20)]).join('')
    return text.charAt(0).toUpperCase() + text.slice(1)
  }
  const vocabulary = Array.from({ length: 20_000 }, word)
  const some = () => vocabulary[pick(vocabulary.length)] ?? ''
  const count = Math.floor(facts / PER_ENTITY)
  const names = Array.from({ length: count }, (_, at) => (at === 0 ? 'Hub' : `${some()} ${some()} ${at}`))
  const name = () => names[pick(3) === 0 ? Math.floor(count * random() ** 6) : pick(count)] ?? ''
  const verbs = predicates.split(',')
  for (const [at, entity] of names.entries()) {
    const text = `${some()} ${some()} met ${name()} in ${some()}, where ${some()} and ${some()} were.`
    const observations = at % 2 === 0 ? [text] : []
    const entityType = `type ${Math.floor(TYPES * random() ** 3)}`
    yield `${JSON.stringify({ type: 'entity', name: entity, entityType, observations })}\n`
  }
  for (let at = 0; at < facts - count / 2; at++) {
    const [from, to] = [name(), at % 20 === 0 ? 'Hub' : name()]
    yield `${JSON.stringify({ type: 'relation', from, relationType: verbs[pick(verbs.length)], to })}\n`
  }
}
