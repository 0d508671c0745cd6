import { type Line, readLines } from '../shared/lines.js'

/** A component of a calendar, or a contact, as written. */
export interface RawComponent {
  /** `VEVENT`, `VCARD`, … in upper case. */
  kind: string
  line: number
  /** Its properties, unfolded, from the first line to the last. */
  lines: string[]
}

/** Maximum characters of a component, and nesting of components. */
const MAX_LENGTH = 262_144
const MAX_DEPTH = 5
/** Properties that contain files. */
const FILES = /^(?:[\w-]{1,40}\.)?(?:ATTACH|PHOTO|LOGO|SOUND|KEY)[;:]/i

type Component = RawComponent | { line: number; problem: string }

/**
 * Splits iCalendar (RFC 5545) or vCard (RFC 6350) into components of these kinds, so that only one is in memory. Lines of
 * other components are passed to `other`. Components that are too large or not text are reported as problems.
 */
export async function* componentsOf(
  bytes: AsyncIterable<Uint8Array>,
  kinds: ReadonlySet<string>,
  other: (text: string) => void,
): AsyncGenerator<Component[]> {
  let open = null as { kind: string; line: number; texts: string[]; length: number; depth: number } | null
  /** Whether the current property contains a file and is skipped. */
  let isFile = false
  /** Whether a quoted-printable line (vCard 2.1) continues on the next one. */
  let isSoft = false

  const add = (text: string, { texts, length }: { texts: string[]; length: number }): number => {
    if (!/^[ \t]/.test(text) && !isSoft) isFile = FILES.test(text)
    const wasSoft = isSoft
    isSoft = /=$/.test(text) && (wasSoft || /QUOTED-PRINTABLE/i.test(text))
    if (isFile || length > MAX_LENGTH || text.trim() === '') return 0
    if (wasSoft) texts.push(`${(texts.pop() ?? '').slice(0, -1)}${text}`)
    else texts.push(text)
    return text.length
  }

  const read = (item: Line): Component[] => {
    if ('problem' in item) return [item]
    const { line, text } = item
    const [, edge, name = ''] = /^(BEGIN|END):([\w-]{1,40})\s*$/i.exec(text) ?? []
    const isBegin = edge?.toUpperCase() === 'BEGIN'
    if (!open) {
      const kind = name.toUpperCase()
      if (isBegin && kinds.has(kind)) open = { kind, line, texts: [text], length: 0, depth: 1 }
      else other(text)
      return []
    }
    if (edge) open.depth += isBegin ? 1 : -1
    if (open.depth <= MAX_DEPTH) open.length += add(text, open)
    if (open.depth > 0) return []
    const { kind, texts, length, line: begun } = open
    open = null
    if (length > MAX_LENGTH) return [{ line: begun, problem: 'This entry is longer than 256 KiB.' }]
    return [{ kind, line: begun, lines: propertyLines(texts.join('\r\n')) }]
  }

  for await (const lines of readLines(bytes)) yield lines.flatMap(read)
  if (open) yield [{ line: open.line, problem: 'The file ends in the middle of this entry.' }]
}

/** The unfolded lines of a component, without lines that are not properties. */
const propertyLines = (text: string) =>
  text
    .replace(/\0|\r\n[ \t]/g, '')
    .split('\r\n')
    .map(line => line.replace(/\r{1,3}$/, ''))
    .filter(line => /^[\w.-]{1,60}[;:]/.test(line))
