import type { Quad } from 'n3'
import { MAX_LINE_LENGTH } from '../shared/lines.js'
import { RdfReader } from './rdf.js'

/** The statements of one file, read until the first error. */
export abstract class StatementFile extends RdfReader {
  failed = false
  protected line = 1
  /** Characters since the last statement, which the parser may be keeping. */
  #pending = 0

  override add(quad: Quad, line = this.line): void {
    this.#pending = 0
    if (!this.failed) super.add(quad, line)
  }

  protected fail(problem: string, line = this.line): void {
    if (!this.failed) this.report(line, problem)
    this.failed = true
  }

  /** Counts characters since the end of the last statement; 0 resets the count. */
  protected wait(characters: number): void {
    this.#pending = characters === 0 ? 0 : this.#pending + characters
    if (this.#pending > MAX_LINE_LENGTH) this.fail('A statement is longer than 1 MiB.')
  }
}

/** The part of the Transform stream API that is used. */
export interface QuadStream {
  write(piece: string, done: () => void): boolean
  end(): void
  on(event: string, listener: (value: unknown) => void): unknown
}

/** A parser of a library that is written to in pieces. */
export class QuadParser {
  /** Why it stopped. */
  problem: string | null = null
  /** The line of the last piece. */
  line = 1
  readonly #stream: QuadStream
  readonly #ended: Promise<void>

  /** @param add receives statements until the first problem */
  constructor(stream: QuadStream, add: (quad: Quad, line: number) => void) {
    this.#stream = stream
    stream.on('data', quad => {
      if (this.problem === null) add(quad as Quad, this.line)
    })
    stream.on('error', error => {
      this.problem ??= syntaxProblem(error)
    })
    this.#ended = new Promise(resolve => {
      for (const event of ['end', 'close', 'error']) stream.on(event, () => resolve())
    })
  }

  /** Resolves when the piece was read. */
  async write(piece: string): Promise<void> {
    if (this.problem !== null) return
    await Promise.race([this.#ended, new Promise<void>(done => this.#stream.write(piece, () => done()))])
  }

  async end(): Promise<void> {
    if (this.problem !== null) return
    this.#stream.end()
    await this.#ended
  }
}

/** The parser's message without its own line number, and without the name of a context that was not loaded. */
export function syntaxProblem(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const from = message.startsWith('Failed to load remote context') ? message.indexOf(': ') + 2 : 0
  return message
    .slice(from)
    .replace(/ on line \d+\.?$/, '')
    .slice(0, 300)
}
