import type { Quad } from 'n3'
import type { Parsed } from '../../graph/index.js'
import { withAllDigits } from '../shared/conversation.js'
import type { Format, SourceFile } from '../shared/format.js'
import { piecesOf } from '../shared/lines.js'
import { type JsonItem, jsonItems } from '../tables/json-items.js'
import { type InForce, JsonLdContexts, NO_CONTEXT, UnreadContext } from './json-ld-contexts.js'
import { graphAsList } from './json-ld-graph.js'
import { syntaxProblem } from './ntriples.js'
import { StatementFile } from './statement-file.js'

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
        documentLoader: nothingLoads,
        ...(context === null ? {} : { context: context as Record<string, unknown> }),
      })
    const document = new JsonLdDocument(open, file)
    for await (const items of jsonItems(graphAsList(bytes))) {
      for (const item of items) yield* document.read(item)
      // Even when empty, so that the caller can yield to other work.
      yield document.take()
      if (document.failed) break
    }
    yield* document.end()
  },
}

const nothingLoads = { load: () => Promise.reject(new Error('Nothing is loaded.')) }

/** The part of the Transform stream API that is used. */
export interface QuadStream {
  write(piece: string, done: () => void): boolean
  end(): void
  on(event: string, listener: (value: unknown) => void): unknown
}

interface JsonNode {
  line: number
  value: unknown
}

/** Maximum characters per parser, which keeps everything it has read. */
const MAX_OF_PARSER = 262_144
/** Maximum characters of a graph that are held for a context after it. */
const MAX_WAITING = 8_388_608

class JsonLdDocument extends StatementFile {
  readonly #open: (context: unknown) => QuadStream
  readonly #contexts = new JsonLdContexts()
  #parser: NodeParser | null = null
  /** The context of the graph, and its cost. */
  #context: unknown = null
  #inForce: InForce = NO_CONTEXT
  /** The members outside the graph. */
  #root: Record<string, unknown> = {}
  /** Nodes whose context has not arrived yet. */
  #waiting: JsonNode[] | null = null
  #waitingLength = 0

  constructor(open: (context: unknown) => QuadStream, file?: SourceFile) {
    super(file)
    this.#open = open
  }

  async *read(item: JsonItem): AsyncGenerator<Parsed[]> {
    if (this.failed) return
    if ('problem' in item) {
      this.report(item.line, item.problem)
      return
    }
    const { line, text } = item
    const value = this.#parsed(line, text)
    if (isRootPart(value)) return await this.#addRoot(line, value)
    if (this.#waiting === null || value === undefined) return yield* this.#readNode({ line, value })
    this.#waitingLength += text.length
    this.#waiting.push({ line, value })
    if (this.#waitingLength > MAX_WAITING)
      this.fail('The context stands behind a graph of more than 8 MiB. Write it at the beginning.', line)
  }

  async *end(): AsyncGenerator<Parsed[]> {
    for (const node of this.#waiting ?? []) yield* this.#readNode(node)
    const { '@graph': _, '@context': __, ...node } = this.#root
    if (Object.keys(node).some(key => key !== '@id')) yield* this.#readNode({ line: 1, value: node })
    await this.#closeParser()
    this.finish()
    yield this.take()
  }

  #parsed(line: number, text: string): unknown {
    try {
      return JSON.parse(withAllDigits(text))
    } catch (error) {
      this.report(line, syntaxProblem(error))
    }
  }

  async #addRoot(line: number, part: Record<string, unknown>): Promise<void> {
    this.#root = { ...this.#root, ...part }
    if (!('@context' in part)) {
      this.#waiting ??= '@context' in this.#root ? null : []
      return
    }
    try {
      const { context, inForce } = this.#contexts.context(part['@context'], NO_CONTEXT)
      this.#context = context
      this.#inForce = inForce
      const problem = await this.#problemOf(context)
      if (problem !== null) this.fail(problem, line)
    } catch (error) {
      this.fail(messageOf(error), line)
    }
  }

  async *#readNode({ line, value }: JsonNode): AsyncGenerator<Parsed[]> {
    if (this.failed || value === undefined) return
    let text: string
    try {
      text = JSON.stringify(this.#contexts.node(value, this.#inForce))
    } catch (error) {
      this.report(line, messageOf(error))
      return
    }
    this.#parser ??= new NodeParser(this.#open(this.#context), (at, quad) => this.add(quad, at))
    const parser = this.#parser
    for await (const _ of parser.read(line, text)) yield this.take()
    if (parser.isOver || parser.length > MAX_OF_PARSER) await this.#closeParser()
  }

  async #closeParser(): Promise<void> {
    if (this.#parser === null) return
    const { line, problem } = await this.#parser.end()
    if (problem !== null) this.report(line, problem)
    this.#parser = null
  }

  /** Checks a context, because the parser throws an uncaught error for an invalid one in its options. */
  async #problemOf(context: unknown): Promise<string | null> {
    const parser = new NodeParser(this.#open(null), () => {})
    for await (const _ of parser.read(1, JSON.stringify({ '@context': context })));
    return (await parser.end()).problem
  }
}

/** Parses nodes of a file, as a list. */
class NodeParser {
  length = 0
  isOver = false
  #problem: string | null = null
  readonly #stream: QuadStream
  readonly #ended: Promise<void>
  #line = 1

  constructor(stream: QuadStream, add: (line: number, quad: Quad) => void) {
    this.#stream = stream
    stream.on('data', quad => {
      if (this.#problem === null) add(this.#line, withText(quad as Quad))
    })
    stream.on('error', error => {
      this.#problem ??= syntaxProblem(error)
      this.isOver = true
    })
    this.#ended = new Promise(resolve => {
      for (const event of ['end', 'close', 'error']) stream.on(event, () => resolve())
    })
  }

  /** Yields between pieces. */
  async *read(line: number, text: string): AsyncGenerator<void> {
    this.#line = line
    for (const piece of piecesOf(`${this.length === 0 ? '[' : ','}${text}`)) {
      if (this.isOver) return
      await Promise.race([this.#ended, new Promise<void>(done => this.#stream.write(piece, () => done()))])
      this.length += piece.length
      yield
    }
  }

  /** The problem with the nodes, if any, and the line of the last one read. */
  async end(): Promise<{ line: number; problem: string | null }> {
    if (!this.isOver) await this.#end()
    return { line: this.#line, problem: this.#problem }
  }

  async #end(): Promise<void> {
    await Promise.race([this.#ended, new Promise<void>(done => this.#stream.write(']', () => done()))])
    this.#stream.end()
    await this.#ended
  }
}

/** Converts numbers and booleans with an explicit type to strings. */
function withText(quad: Quad): Quad {
  const { object } = quad
  if (typeof object.value !== 'string') Object.assign(object, { value: String(object.value) })
  return quad
}

/** The members before and after the graph; see `graphAsList`. */
const isRootPart = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && '@graph' in value && value['@graph'] === null

const messageOf = (error: unknown) => (error instanceof UnreadContext ? error.message : syntaxProblem(error))
