/** Short versions of the most common contexts: nothing is fetched (ADR 9). */
const SHIPPED: readonly (readonly [address: RegExp, context: Record<string, unknown>])[] = [
  [
    /^https?:\/\/(?:www\.)?schema\.org(?:\/?|\/docs\/jsonldcontext\.jsonl?d?)$/,
    { '@vocab': 'http://schema.org/', id: '@id', type: '@type' },
  ],
  [
    /^https?:\/\/www\.w3\.org\/ns\/activitystreams(?:\.jsonld|#)?$/,
    {
      '@vocab': 'https://www.w3.org/ns/activitystreams#',
      id: '@id',
      type: '@type',
      ...links('actor attributedTo cc first inReplyTo items last next object partOf prev replies target to'),
    },
  ],
]

function links(names: string): Record<string, unknown> {
  return Object.fromEntries(names.split(' ').map(name => [name, { '@type': '@id' }]))
}

/** The reason why a context or node cannot be read, as a sentence. */
class UnreadContext extends Error {}

/** Loads contexts for the parser: only known ones. @throws UnreadContext */
export const knownContexts = {
  async load(address: string): Promise<Record<string, unknown>> {
    const known = SHIPPED.find(([pattern]) => pattern.test(address))
    if (known) return { '@context': known[1] }
    throw new UnreadContext(
      `The context ${address.slice(0, 200)} is not known here, and nothing is fetched. Write the context into the file, or save it as Turtle.`,
    )
  },
}

/** Maximum inherited terms per file, which the parser copies. A context's own terms are limited by its length. */
const MAX_WORK = 1_000_000

/** The active context and its cost. */
export interface InForce {
  terms: number
  /** Whether terms have scoped contexts, which are applied to each value. */
  isScoped: boolean
}

export const NO_CONTEXT: InForce = { terms: 0, isScoped: false }

const FIRST = ['id', '@id', 'type', '@type', '@context']

/** Prepares the nodes of one file for the parser, which requires contexts and types first (JSON-LD 1.1 Streaming §3). */
export class JsonLdNodes {
  #work = 0

  /** @throws UnreadContext */
  node(value: unknown, outer: InForce): unknown {
    if (outer.isScoped) this.#spend(outer.terms)
    if (Array.isArray(value)) return value.map(item => this.node(item, outer))
    // Keeps the number as written: the parser would change 1.5 to “1.5E0”.
    if (typeof value === 'number' && !Number.isInteger(value)) return String(value)
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).sort(([a], [b]) => FIRST.indexOf(b) - FIRST.indexOf(a))
    let inForce = outer
    const prepared = members.map(([key, member]) => {
      if (key !== '@context') return [key, this.node(member, inForce)]
      inForce = this.within(member, outer)
      return [key, member]
    })
    return Object.fromEntries(prepared)
  }

  /** The context in force inside another one. @throws UnreadContext */
  within(context: unknown, outer: InForce): InForce {
    this.#spend(outer.terms)
    const own = [context].flat().flatMap(each => Object.entries(each ?? {}))
    const isScoped = own.some(([, term]) => Object.hasOwn(Object(term), '@context'))
    return { terms: outer.terms + own.length, isScoped: outer.isScoped || isScoped }
  }

  #spend(work: number): void {
    this.#work += work
    if (this.#work > MAX_WORK) throw new UnreadContext('The contexts of this file are too large.')
  }
}
