import type { Parsed } from '../../graph/index.js'
import { baseName } from '../shared/file-name.js'
import type { Format, SourceFile } from '../shared/format.js'
import { readLines, readParts } from '../shared/lines.js'
import { checked } from '../shared/record.js'

/** Plain text: each paragraph is a passage, in sequence, about an entity named after the file. */
export const text: Format = {
  id: 'text',
  title: 'Plain text',
  extensions: ['txt', 'text'],
  mayBeLegacy: true,
  parse: (bytes, file) => readParts(readLines(bytes), new Paragraphs(file)),
}

/**
 * Characters after which a paragraph ends at the next line, and its maximum: answers quote complete
 * passages.
 */
const LONG_PARAGRAPH = 2_000
const MAX_PARAGRAPH = 4_000

class Paragraphs {
  readonly #title: string
  readonly #source: { source?: string }
  #begun = 0
  #lines: string[] = []
  #length = 0
  #seq = 0

  constructor(file: SourceFile | undefined) {
    this.#title = file ? baseName(file.path) : 'text'
    this.#source = file?.notes ? { source: file.path } : {}
  }

  *read({ line, text }: { line: number; text: string }): Generator<Parsed> {
    if (text.trim() === '') yield* this.end()
    else
      for (const part of partsOf(text)) {
        if (this.#length + part.length > MAX_PARAGRAPH || this.#length > LONG_PARAGRAPH) yield* this.end()
        if (this.#lines.length === 0) this.#begun = line
        this.#lines.push(part)
        this.#length += part.length
      }
  }

  *end(): Generator<Parsed> {
    if (this.#lines.length === 0) return
    const [title, text] = [this.#title, this.#lines.join('\n')]
    yield checked(this.#begun, {
      ...{ kind: 'passage', entity: title, title, text, seq: ++this.#seq },
      ...this.#source,
    })
    this.#lines = []
    this.#length = 0
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
