import { type Line, readLines } from '../shared/lines.js'

/** A component of a calendar, or a contact, as written. */
export interface RawComponent {
  /** `VEVENT`, `VCARD`, … in upper case. */
  kind: string
  line: number
  text: string
}

/** Maximum characters of a component, and nesting of components. */
const MAX_LENGTH = 262_144
const MAX_DEPTH = 5
/** Properties that contain files. */
const FILES = /^(?:[\w-]{1,40}\.)?(?:ATTACH|PHOTO|LOGO|SOUND|KEY)[;:]/i

/**
 * Splits iCalendar (RFC 5545) or vCard (RFC 6350) into components of these kinds, so that only one is in memory. Lines of
 * other components are passed to `other`. Components that are too large or not text are reported as problems.
 */
export async function* componentsOf(
  bytes: AsyncIterable<Uint8Array>,
  kinds: ReadonlySet<string>,
  other: (text: string) => void,
): AsyncGenerator<(RawComponent | { line: number; problem: string })[]> {
  const splitter = new ComponentSplitter(kinds, other)
  for await (const lines of readLines(bytes)) yield lines.flatMap(line => splitter.read(line))
  yield splitter.end()
}

class ComponentSplitter {
  readonly #kinds: ReadonlySet<string>
  readonly #other: (text: string) => void
  #open: { kind: string; line: number; texts: string[]; length: number; depth: number } | null = null
  /** Whether the current property contains a file and is skipped. */
  #isFile = false
  /** Whether a quoted-printable line (vCard 2.1) continues on the next one. */
  #isSoft = false

  constructor(kinds: ReadonlySet<string>, other: (text: string) => void) {
    this.#kinds = kinds
    this.#other = other
  }

  read(line: Line): (RawComponent | { line: number; problem: string })[] {
    if ('problem' in line) return [line]
    const { text } = line
    const [, edge, name = ''] = /^(BEGIN|END):([\w-]{1,40})\s*$/i.exec(text) ?? []
    const kind = name.toUpperCase()
    if (!this.#open) {
      if (edge?.toUpperCase() === 'BEGIN' && this.#kinds.has(kind))
        this.#open = { kind, line: line.line, texts: [text], length: 0, depth: 1 }
      else this.#other(text)
      return []
    }
    if (edge) this.#open.depth += edge.toUpperCase() === 'BEGIN' ? 1 : -1
    this.#add(text)
    return this.#open.depth === 0 ? this.#finish() : []
  }

  end(): { line: number; problem: string }[] {
    return this.#open
      ? [{ line: this.#open.line, problem: 'The file ends in the middle of this entry.' }]
      : []
  }

  #add(text: string): void {
    const open = this.#open
    if (!open || open.depth > MAX_DEPTH) return
    const isContinued = /^[ \t]/.test(text)
    if (!isContinued && !this.#isSoft) this.#isFile = FILES.test(text)
    const last = open.texts.length - 1
    const wasSoft = this.#isSoft
    this.#isSoft = /=$/.test(text) && (wasSoft || /QUOTED-PRINTABLE/i.test(text))
    if (this.#isFile || open.length > MAX_LENGTH || text.trim() === '') return
    open.length += text.length
    if (wasSoft) open.texts[last] = `${(open.texts[last] ?? '').slice(0, -1)}${text}`
    else open.texts.push(text)
  }

  #finish(): (RawComponent | { line: number; problem: string })[] {
    const open = this.#open
    this.#open = null
    if (!open) return []
    const { kind, line, texts, length } = open
    if (length > MAX_LENGTH) return [{ line, problem: 'This entry is longer than 256 KiB.' }]
    return [{ kind, line, text: texts.join('\r\n').replaceAll('\0', '') }]
  }
}

/** The unfolded lines of a component, without lines that are not properties. */
export function propertyLines(text: string): string[] {
  return text
    .replace(/\r\n[ \t]/g, '')
    .split('\r\n')
    .map(line => line.replace(/\r{1,3}$/, ''))
    .filter(line => /^[\w.-]{1,60}[;:]/.test(line))
}
