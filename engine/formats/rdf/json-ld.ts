import type { Quad } from 'n3'
import type { Parsed } from '../../graph/index.js'
import type { Format, SourceFile } from '../shared/format.js'
import { withAllDigits } from '../shared/json.js'
import { piecesOf } from '../shared/lines.js'
import { type JsonItem, jsonItems } from '../tables/json-parts.js'
import { QuadParser, type QuadStream, StatementFile, syntaxProblem } from './statement-file.js'

/** JSON-LD (W3C): a node, a list of nodes, or `@graph`, read node by node. */
export const jsonld: Format = {
  id: 'jsonld',
  title: 'JSON-LD',
  extensions: ['jsonld', 'json'],
  tells: /^(?:\[\s{0,20})?\{\s{0,20}"@context"\s{0,20}:/,
  begins: /^(?:\[\s{0,20})?\{[\s\S]{0,900}"@context"\s{0,20}:/,
  names: /\.jsonld$/i,
  async *parse(bytes, file) {
    const { JsonLdParser } = await import('jsonld-streaming-parser')
    const open = (context: unknown) =>
      new JsonLdParser({
        baseIRI: 'file:///',
        streamingProfile: true,
        streamingProfileAllowOutOfOrderPlainType: true,
        documentLoader: knownContexts,
        ...(context === null ? {} : { context: context as Record<string, unknown> }),
      })
    const document = new JsonLdDocument(open, file)
    for await (const items of jsonItems(bytes, '@graph')) {
      for (const item of items) yield* document.read(item)
      // Even when empty, so that the caller can yield to other work.
      yield document.take()
      if (document.failed) break
    }
    yield* document.end()
  },
}

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
const knownContexts = {
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
interface InForce {
  terms: number
  /** Whether terms have scoped contexts, which are applied to each value. */
  isScoped: boolean
}

const NO_CONTEXT: InForce = { terms: 0, isScoped: false }

const FIRST = ['id', '@id', 'type', '@type', '@context']

/** Prepares the nodes of one file for the parser, which requires contexts and types first (JSON-LD 1.1 Streaming §3). */
class JsonLdNodes {
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

interface JsonNode {
  line: number
  value: unknown
}

/** Maximum characters per parser, which keeps everything it has read. */
const MAX_OF_PARSER = 262_144
/** Maximum characters of members outside the graph, and of a graph that are held for a context after it. */
const MAX_ROOT = 4_194_304
const MAX_WAITING = 8_388_608

class JsonLdDocument extends StatementFile {
  readonly #open: (context: unknown) => QuadStream
  readonly #nodes = new JsonLdNodes()
  #parser: NodeParser | null = null
  /** The context of the graph, and its cost. */
  #context: unknown = null
  #inForce: InForce = NO_CONTEXT
  /** The members outside the graph. */
  #root: Record<string, unknown> = {}
  #rootLength = 0
  /** Nodes whose context has not arrived yet. */
  #waiting: JsonNode[] = []
  #waitingLength = 0

  constructor(open: (context: unknown) => QuadStream, file?: SourceFile) {
    super(file)
    this.#open = open
  }

  async *read(item: JsonItem): AsyncGenerator<Parsed[]> {
    if (this.failed) return
    if ('problem' in item) return this.report(item.line, item.problem)
    const { line, text, isMember } = item
    try {
      const value: unknown = parsedJson(isMember ? `{${text}}` : text)
      if (isMember) return await this.#addRoot(item, value as Record<string, unknown>)
      if (isMember === undefined || '@context' in this.#root) return yield* this.#readNode({ line, value })
      this.#waitingLength += text.length
      this.#waiting.push({ line, value })
    } catch (error) {
      return this.report(line, syntaxProblem(error))
    }
    if (this.#waitingLength > MAX_WAITING)
      this.fail('The context comes after a graph of more than 8 MiB. Move it to the beginning.', line)
  }

  async *end(): AsyncGenerator<Parsed[]> {
    for (const node of this.#waiting) yield* this.#readNode(node)
    const { '@context': _, ...node } = this.#root
    if (Object.keys(node).some(key => key !== '@id')) yield* this.#readNode({ line: 1, value: node })
    await this.#closeParser()
    this.finish()
    yield this.take()
  }

  async #addRoot({ line, text }: { line: number; text: string }, member: Record<string, unknown>) {
    this.#root = { ...this.#root, ...member }
    this.#rootLength += text.length
    if (this.#rootLength > MAX_ROOT) return this.fail('This item is larger than 4 MiB.', line)
    if (!('@context' in member)) return
    this.#context = member['@context']
    this.#inForce = this.#nodes.within(this.#context, NO_CONTEXT)
    const problem = await this.#problemOf(this.#context)
    if (problem !== null) this.fail(problem, line)
  }

  async *#readNode({ line, value }: JsonNode): AsyncGenerator<Parsed[]> {
    if (this.failed) return
    let text: string
    try {
      text = JSON.stringify(this.#nodes.node(value, this.#inForce))
    } catch (error) {
      return this.report(line, syntaxProblem(error))
    }
    this.#parser ??= new NodeParser(this.#open(this.#context), (quad, at) => this.add(withText(quad), at))
    const parser = this.#parser
    for await (const _ of parser.read(line, text)) yield this.take()
    if (parser.problem !== null || parser.length > MAX_OF_PARSER) await this.#closeParser()
  }

  async #closeParser(): Promise<void> {
    if (this.#parser === null) return
    const { line } = this.#parser
    const problem = await this.#parser.close()
    if (problem !== null) this.report(line, problem)
    this.#parser = null
  }

  /** Checks a context, because the parser throws an uncaught error for an invalid one in its options. */
  async #problemOf(context: unknown): Promise<string | null> {
    const parser = new NodeParser(this.#open(null), () => {})
    for await (const _ of parser.read(1, JSON.stringify({ '@context': context })));
    return await parser.close()
  }
}

/** Parses nodes of a file, as a list. */
class NodeParser extends QuadParser {
  length = 0

  /** Yields between pieces. */
  async *read(line: number, text: string): AsyncGenerator<void> {
    this.line = line
    for (const piece of piecesOf(`${this.length === 0 ? '[' : ','}${text}`)) {
      await this.write(piece)
      this.length += piece.length
      yield
    }
  }

  /** Returns the problem with the nodes, if any. */
  async close(): Promise<string | null> {
    await this.write(']')
    await this.end()
    return this.problem
  }
}

/** Converts numbers and booleans with an explicit type to strings. */
function withText(quad: Quad): Quad {
  const { object } = quad
  if (typeof object.value !== 'string') Object.assign(object, { value: String(object.value) })
  return quad
}

/** JSON with all digits of its numbers, and without the members that would change a prototype. */
function parsedJson(text: string): unknown {
  const isHarmless = !/__proto__|\\u005f/i.test(text)
  return JSON.parse(
    withAllDigits(text),
    isHarmless ? undefined : (key, value) => (key === '__proto__' ? undefined : value),
  )
}
