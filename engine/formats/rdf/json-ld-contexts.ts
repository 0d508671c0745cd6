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
export class UnreadContext extends Error {}

/** Maximum inherited terms per file, which the parser copies. A context's own terms are limited by its length. */
const MAX_WORK = 1_000_000

/** The active context and its cost. */
export interface InForce {
  terms: number
  /** Whether terms have scoped contexts, which are applied to each value. */
  isScoped: boolean
}

export const NO_CONTEXT: InForce = { terms: 0, isScoped: false }

/** Prepares the nodes of one file for the parser, which requires contexts and types first (JSON-LD 1.1 Streaming §3). */
export class JsonLdContexts {
  #work = 0

  /** @throws UnreadContext */
  node(value: unknown, outer: InForce): unknown {
    if (outer.isScoped) this.#spend(outer.terms)
    if (Array.isArray(value)) return value.map(item => this.node(item, outer))
    // Keeps the number as written: the parser would change 1.5 to “1.5E0”.
    if (typeof value === 'number' && !Number.isInteger(value)) return String(value)
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).filter(([key]) => key !== '__proto__')
    const own = members.find(([key]) => key === '@context')
    const { context, inForce } = own ? this.context(own[1], outer) : { context: null, inForce: outer }
    const others = members
      .filter(([key]) => key !== '@context')
      .sort(([a], [b]) => rankOf(a) - rankOf(b))
      .map(([key, member]) => [key, this.node(member, inForce)] as const)
    return Object.fromEntries([...(own ? [['@context', context] as const] : []), ...others])
  }

  /**
   * The context with referenced contexts included.
   * @throws UnreadContext
   */
  context(value: unknown, outer: InForce): { context: unknown; inForce: InForce } {
    const inForce = { ...outer }
    const context = this.#resolved(value, inForce)
    this.#spend(outer.terms)
    return { context, inForce }
  }

  #resolved(value: unknown, inForce: InForce): unknown {
    if (typeof value === 'string') return this.#resolved(contextAt(value), inForce)
    if (Array.isArray(value)) return value.map(item => this.#resolved(item, inForce))
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).filter(([key]) => key !== '__proto__')
    inForce.terms += members.length
    return Object.fromEntries(members.map(([key, term]) => [key, this.#term(key, term, inForce)]))
  }

  #term(key: string, term: unknown, inForce: InForce): unknown {
    if (key === '@import') throw unknownContext(term)
    if (key === '@context') return this.#resolved(term, inForce)
    if (typeof term !== 'object' || term === null || !('@context' in term)) return term
    inForce.isScoped = true
    return { ...term, '@context': this.#resolved(term['@context'], inForce) }
  }

  #spend(work: number): void {
    this.#work += work
    if (this.#work > MAX_WORK) throw new UnreadContext('The contexts of this file are too large.')
  }
}

const FIRST = ['@type', 'type', '@id', 'id']

function rankOf(key: string): number {
  const at = FIRST.indexOf(key)
  return at < 0 ? FIRST.length : at
}

function contextAt(address: string): Record<string, unknown> {
  const known = SHIPPED.find(([pattern]) => pattern.test(address))
  if (!known) throw unknownContext(address)
  return known[1]
}

const unknownContext = (address: unknown) =>
  new UnreadContext(
    `The context ${String(address).slice(0, 200)} is not known here, and nothing is fetched. Write the context into the file, or save it as Turtle.`,
  )
