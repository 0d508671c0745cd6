import type { Parsed } from '../../graph/index.js'
import { baseName } from '../shared/file-name.js'
import type { Format } from '../shared/format.js'
import { MAX_BATCH, readLines } from '../shared/lines.js'
import { checked } from '../shared/record.js'

/** Plain text: each paragraph is a passage, in sequence, about an entity named after the file. */
export const text: Format = {
  id: 'text',
  title: 'Plain text',
  extensions: ['txt', 'text'],
  mayBeLegacy: true,
  async *parse(bytes, file) {
    const paragraphs = new Paragraphs(file ? baseName(file.path) : 'text', file?.notes && file.path)
    for await (const lines of readLines(bytes)) {
      for (const line of lines) {
        if ('problem' in line) paragraphs.batch.push(line)
        else paragraphs.add(line.line, line.text)
        if (paragraphs.batch.length >= MAX_BATCH) yield paragraphs.take()
      }
    }
    paragraphs.close()
    if (paragraphs.batch.length > 0) yield paragraphs.take()
  },
}

/**
 * Characters after which a paragraph ends at the next line, and its maximum: answers quote complete
 * passages.
 */
const LONG_PARAGRAPH = 2_000
const MAX_PARAGRAPH = 4_000

class Paragraphs {
  batch: Parsed[] = []
  readonly #title: string
  readonly #source: string | undefined
  #begun = 0
  #lines: string[] = []
  #length = 0
  #seq = 0

  constructor(title: string, source?: string) {
    this.#title = title
    this.#source = source
  }

  add(line: number, text: string): void {
    if (text.trim() === '') this.close()
    else this.#addLine(line, text)
  }

  #addLine(line: number, text: string): void {
    for (const part of partsOf(text)) {
      if (this.#length + part.length > MAX_PARAGRAPH || this.#length > LONG_PARAGRAPH) this.close()
      if (this.#lines.length === 0) this.#begun = line
      this.#lines.push(part)
      this.#length += part.length
    }
  }

  close(): void {
    if (this.#lines.length === 0) return
    const passage = { kind: 'passage', entity: this.#title, title: this.#title } as const
    const text = this.#lines.join('\n')
    const source = this.#source === undefined ? {} : { source: this.#source }
    this.batch.push(checked(this.#begun, { ...passage, text, seq: ++this.#seq, ...source }))
    this.#lines = []
    this.#length = 0
  }

  take(): Parsed[] {
    return this.batch.splice(0)
  }
}

/** Splits a long line after a sentence, or at least after a word, if possible. */
export function* partsOf(text: string): Generator<string> {
  let rest = text
  while (rest.length > MAX_PARAGRAPH) {
    const head = rest.slice(0, MAX_PARAGRAPH)
    const sentence = Math.max(head.lastIndexOf('. '), head.lastIndexOf('? '), head.lastIndexOf('! '))
    const end = sentence > 0 ? sentence + 1 : head.lastIndexOf(' ')
    // Never inside a surrogate pair.
    const at = end > 0 ? end : MAX_PARAGRAPH - (/[\ud800-\udbff]$/.test(head) ? 1 : 0)
    yield rest.slice(0, at)
    rest = rest.slice(at).trimStart()
  }
  if (rest !== '') yield rest
}

/** The same for a line that may be empty. */
export const linePartsOf = (line: string): Iterable<string> => (line === '' ? [''] : partsOf(line))
