import type { Quad } from 'n3'
import type { Parsed } from '../../graph/index.js'
import type { SourceFile } from '../shared/format.js'
import { MAX_LINE_LENGTH } from '../shared/lines.js'
import { RdfReader } from './rdf.js'

/** The statements of one file, read until the first error. */
export abstract class StatementFile {
  failed = false
  protected line = 1
  readonly #reader: RdfReader
  readonly #batch: Parsed[] = []
  /** Characters since the last statement, which the parser may be keeping. */
  #pending = 0

  constructor(file?: SourceFile) {
    this.#reader = new RdfReader(file)
  }

  take(): Parsed[] {
    return this.#batch.splice(0)
  }

  protected add(quad: Quad, line = this.line): void {
    this.#pending = 0
    if (!this.failed) this.#reader.read(line, quad, this.#batch)
  }

  /** A problem with a part of the file. */
  protected report(line: number, problem: string): void {
    this.#batch.push({ line, problem })
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

  protected finish(): void {
    this.#reader.end(this.#batch)
  }
}
