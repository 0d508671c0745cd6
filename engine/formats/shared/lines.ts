import { isUtf8 } from 'node:buffer'
import type { Parsed } from '../../graph/index.js'

/** A line without its ending, or the reason it cannot be read. */
export type Line = { line: number; text: string; ending: '\n' | '\r\n' } | { line: number; problem: string }

/** In bytes. Longer lines are reported as bad, so that an endless line cannot exhaust memory. */
export const MAX_LINE_LENGTH = 1_048_576

/** Maximum lines and records per batch: small, so that callers can yield to other work. */
export const MAX_BATCH = 256

const NEWLINE = 0x0a

/** Splits bytes into lines (1-based) in small batches. A leading byte order mark is dropped. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  const reader = new LineReader()
  for await (const chunk of bytes) {
    yield* batchesOf(reader.read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)))
  }
  yield* batchesOf(reader.end())
}

function* batchesOf(lines: Line[]): Generator<Line[]> {
  for (let at = 0; at < lines.length; at += MAX_BATCH) yield lines.slice(at, at + MAX_BATCH)
}

/** Splits items into batches, at least one, so that callers can yield to other work. */
export function* inBatches<Item>(items: Item[]): Generator<Item[]> {
  for (let at = 0; at === 0 || at < items.length; at += MAX_BATCH) yield items.slice(at, at + MAX_BATCH)
}

type Problem = { line: number; problem: string }

/** Reads the parts of a file one by one. */
interface PartReader<Part> {
  read(part: Exclude<Part, Problem>): Iterable<Parsed>
  /** Returns the remaining records. */
  end(): Iterable<Parsed>
  /** Whether a document ends with this part; its records then form a batch before the next document begins. */
  endsDocument?(part: Exclude<Part, Problem>): boolean
}

/** Reads a file in parts, such as lines or list items. Problems are passed on. */
export async function* readParts<Part extends object>(
  batches: AsyncIterable<Part[]>,
  reader: PartReader<Part>,
): AsyncGenerator<Parsed[]> {
  const isProblem = (part: object): part is Problem => 'problem' in part
  for await (const parts of batches) {
    let parsed: Parsed[] = []
    for (const part of parts) {
      if (isProblem(part)) {
        parsed.push(part)
        continue
      }
      for (const each of reader.read(part as Exclude<Part, Problem>)) parsed.push(each)
      if (!reader.endsDocument?.(part as Exclude<Part, Problem>)) continue
      yield* inBatches(parsed)
      parsed = []
    }
    yield* inBatches(parsed)
  }
  yield* inBatches([...reader.end()])
}

const PIECE_LENGTH = 8192

/**
 * Splits a text into pieces for incremental parsers, so that a line of a megabyte is parsed in small steps.
 */
export function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + PIECE_LENGTH, text.length)
    // Never inside a surrogate pair.
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? '')) end++
    yield text.slice(at, end)
    at = end
  }
}

/** The text of a UTF-8 file in pieces for incremental parsers, each with the number of lines that end in it. */
export async function* textPieces(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ piece: string; lines: number }> {
  const decoder = new TextDecoder()
  for await (const chunk of bytes)
    for (const piece of piecesOf(decoder.decode(chunk, { stream: true })))
      yield { piece, lines: piece.split('\n').length - 1 }
}

class LineReader {
  #line = 1
  /** The beginning of a line whose end has not arrived yet. */
  #rest: Buffer[] = []
  #restLength = 0
  #tooLong = false

  read(chunk: Buffer): Line[] {
    const first = chunk.indexOf(NEWLINE)
    if (first < 0) {
      this.#keep(chunk)
      return []
    }
    const lines = this.#finish(chunk.subarray(0, first))
    const last = chunk.lastIndexOf(NEWLINE)
    if (last > first) this.#split(chunk.subarray(first + 1, last), lines)
    this.#keep(chunk.subarray(last + 1))
    return lines
  }

  end(): Line[] {
    return this.#restLength > 0 || this.#tooLong ? this.#finish(Buffer.alloc(0)) : []
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return
    this.#restLength += part.length
    if (this.#restLength > MAX_LINE_LENGTH) {
      this.#tooLong = true
      this.#rest = []
    } else {
      this.#rest.push(Buffer.from(part))
    }
  }

  #finish(part: Buffer): Line[] {
    this.#keep(part)
    const lines: Line[] = []
    if (this.#tooLong) lines.push({ line: this.#line++, problem: TOO_LONG })
    else this.#push(Buffer.concat(this.#rest), lines)
    this.#rest = []
    this.#restLength = 0
    this.#tooLong = false
    return lines
  }

  /** Decodes complete lines together unless some of them are not UTF-8. */
  #split(block: Buffer, lines: Line[]): void {
    if (isUtf8(block) && block.length <= MAX_LINE_LENGTH) {
      for (const text of block.toString('utf8').split('\n')) {
        lines.push(lineOf(this.#line++, text))
      }
      return
    }
    let start = 0
    while (start <= block.length) {
      const at = block.indexOf(NEWLINE, start)
      const end = at < 0 ? block.length : at
      this.#push(block.subarray(start, end), lines)
      start = end + 1
    }
  }

  #push(bytes: Buffer, lines: Line[]): void {
    const line = this.#line++
    if (bytes.length > MAX_LINE_LENGTH) lines.push({ line, problem: TOO_LONG })
    else if (!isUtf8(bytes)) lines.push({ line, problem: 'The line is not UTF-8 text.' })
    else lines.push(lineOf(line, line === 1 ? withoutMark(bytes) : bytes.toString('utf8')))
  }
}

const TOO_LONG = 'The line is longer than 1 MiB.'

function withoutMark(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function lineOf(line: number, text: string): Line {
  return text.endsWith('\r')
    ? { line, text: text.slice(0, -1), ending: '\r\n' }
    : { line, text, ending: '\n' }
}
