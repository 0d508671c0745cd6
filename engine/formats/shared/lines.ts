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
  let line = 1
  /** The beginning of a line whose end has not arrived yet; empty if it is too long. */
  let rest: Buffer[] = []
  let restLength = 0
  const keep = (part: Buffer) => {
    restLength += part.length
    if (restLength > MAX_LINE_LENGTH) rest = []
    // A copy: the chunk may share its memory with other data.
    else if (part.length > 0) rest.push(Buffer.from(part))
  }
  const lineIn = (whole: Buffer, length = whole.length): Line => {
    const at = line++
    if (length > MAX_LINE_LENGTH) return { line: at, problem: 'The line is longer than 1 MiB.' }
    if (!isUtf8(whole)) return { line: at, problem: 'The line is not UTF-8 text.' }
    const text = whole.toString('utf8')
    return lineOf(at, at === 1 ? text.replace(/^\ufeff/, '') : text)
  }
  const finish = (part: Buffer): Line => {
    keep(part)
    const found = lineIn(Buffer.concat(rest), restLength)
    rest = []
    restLength = 0
    return found
  }
  for await (const chunk of bytes) {
    const all = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const [first, last] = [all.indexOf(NEWLINE), all.lastIndexOf(NEWLINE)]
    if (first >= 0) {
      const lines = [finish(all.subarray(0, first))]
      const block = all.subarray(first + 1, Math.max(first, last))
      // Complete lines are decoded together unless some of them are not UTF-8.
      if (isUtf8(block) && block.length <= MAX_LINE_LENGTH) {
        if (last > first)
          for (const text of block.toString('utf8').split('\n')) lines.push(lineOf(line++, text))
      } else
        for (const each of block.toString('latin1').split('\n'))
          lines.push(lineIn(Buffer.from(each, 'latin1')))
      yield* inBatches(lines)
    }
    keep(all.subarray(last + 1))
  }
  if (restLength > 0) yield [finish(Buffer.alloc(0))]
}

const lineOf = (line: number, text: string): Line =>
  text.endsWith('\r') ? { line, text: text.slice(0, -1), ending: '\r\n' } : { line, text, ending: '\n' }

/** Splits items into batches, at least one, so that callers can yield to other work. */
export function* inBatches<Item>(items: Item[]): Generator<Item[]> {
  for (let at = 0; at === 0 || at < items.length; at += MAX_BATCH) yield items.slice(at, at + MAX_BATCH)
}

type Problem = { line: number; problem: string }

/** Reads the parts of a file one by one. */
interface PartReader<Part> {
  read(part: Exclude<Part, Problem>): Iterable<Parsed>
  /** Returns the remaining records. */
  end?(): Iterable<Parsed>
  /** Whether a document ends with this part; its records then form a batch before the next document begins. */
  endsDocument?(part: Exclude<Part, Problem>): boolean
}

/** Reads a file in parts, such as lines or list items. Problems are passed on. */
export async function* readParts<Part extends object>(
  batches: AsyncIterable<Part[]> | Iterable<Part[]>,
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
  yield* inBatches([...(reader.end?.() ?? [])])
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
