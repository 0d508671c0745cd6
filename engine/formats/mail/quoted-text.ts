/** Consecutive lines, either all written by the sender or all quoted. */
type Block = { isQuoted: boolean; lines: string[] }

const MARKS = /^(?:>[ \t]?){1,50}/
/** "On 3 May 2024, Ada wrote:" in any language: a line with a date or an address that ends with a colon; or "Ada wrote:". */
const ATTRIBUTION =
  /(?:(?:\d{4}|\d:\d\d|@|<).{0,200}|(?:wrote|writes|schrieb|écrit|escribió|escreveu|scritto|schreef|skrev)\s{0,3})[:：]\s{0,3}$/
/** The first line of a two-line attribution: "On Tue, 22 Jun 2010 20:53:18 +0530". */
const ATTRIBUTION_BEGIN = /^(?:On|At|Am|Le|El|Il|Op|Den|Em|W dniu) .{0,80}\d{1,2}[:.]\d\d/
/** The separator above an original message that is quoted without marks. */
const ORIGINAL = /^\s{0,5}(?:-{2,20}\s{0,3}\p{L}[\p{L} ]{3,60}\s{0,3}-{2,20}|_{20,80})\s{0,5}$/u
const HEADER = /^\s{0,5}\*?(?:From|Von|De|Da|Van|Från|Fra)\s{0,3}:\*?\s/
const HEADER_NEXT =
  /^\s{0,5}\*?(?:Sent|Date|To|Gesendet|Datum|An|Envoyé|Enviado|Fecha|Inviato|Verzonden|Skickat|Sendt)\s{0,3}:/u
/** The line before a signature (RFC 3676 §4.3). */
const SIGNATURE = /^-- ?$/

/**
 * The lines of a message without those seen before: quoted messages and its signature. Quotations
 * from elsewhere stay, marked with `>`.
 */
export function withoutSeen(lines: readonly string[], seen: SeenText): string[] {
  const kept: string[] = []
  for (const { isQuoted, lines: some } of blocksOf(lines)) {
    if (!isQuoted) {
      kept.push(...some)
      continue
    }
    const paragraphs = paragraphsOf(some)
    const unseen = paragraphs.filter(paragraph => !seen.has(paragraph.join(' ')))
    // Short paragraphs around a known quotation, such as attributions and names, are dropped.
    const news = unseen.length < paragraphs.length ? unseen.filter(saysMuch) : unseen
    for (const paragraph of news) kept.push(...paragraph.map(line => `> ${line}`), '')
  }
  for (const { lines: some } of blocksOf(lines)) seen.add(some.join('\n'))
  return trimmed(kept)
}

/** Minimum words of a paragraph that is more than a greeting, a name or a message header. */
const MANY = 8

function saysMuch(paragraph: readonly string[]): boolean {
  const text = paragraph.join(' ')
  return text.split(/\s+/).length >= MANY && !HEADER.test(text) && !ATTRIBUTION.test(text.slice(-300))
}

/** Splits lines into blocks. A signature counts as quoted, because it repeats in all messages of its sender. */
function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let isRestQuoted = false
  const add = (isQuoted: boolean, line: string) => {
    const last = blocks.at(-1)
    if (last?.isQuoted === isQuoted) last.lines.push(line)
    else blocks.push({ isQuoted, lines: [line] })
  }
  for (const [at, line] of lines.entries()) {
    if (isRestQuoted) add(true, line.replace(MARKS, ''))
    else if (MARKS.test(line)) {
      for (const above of takeAttribution(blocks)) add(true, above)
      add(true, line.replace(MARKS, ''))
    } else {
      isRestQuoted = isOriginal(line, lines, at) || SIGNATURE.test(line)
      if (!isRestQuoted || HEADER.test(line)) add(isRestQuoted, line)
    }
  }
  return blocks
}

function isOriginal(line: string, lines: readonly string[], at: number): boolean {
  const next = lines.slice(at + 1, at + 4)
  if (ORIGINAL.test(line)) return next.some(other => HEADER.test(other) || HEADER_NEXT.test(other))
  return HEADER.test(line) && next.filter(other => HEADER_NEXT.test(other)).length > 1
}

/** Removes the attribution before a quotation, of up to three lines, and returns it as a paragraph of the quotation. */
function takeAttribution(blocks: Block[]): string[] {
  const own = blocks.at(-1)
  if (!own || own.isQuoted) return []
  const end = own.lines.findLastIndex(line => line.trim() !== '') + 1
  if (end < own.lines.length - 2) return []
  for (let from = end - 1; from >= Math.max(0, end - 3) && own.lines[from]?.trim() !== ''; from--) {
    if (!ATTRIBUTION.test(own.lines.slice(from, end).join(' ').slice(-300))) continue
    const begin = ATTRIBUTION_BEGIN.test(own.lines[from - 1] ?? '') ? from - 1 : from
    return [...own.lines.splice(begin).filter(line => line.trim() !== ''), '']
  }
  return []
}

function paragraphsOf(lines: readonly string[]): string[][] {
  const paragraphs: string[][] = [[]]
  for (const line of lines) {
    if (line.trim() !== '') paragraphs.at(-1)?.push(line)
    else if (paragraphs.at(-1)?.length !== 0) paragraphs.push([])
  }
  return paragraphs.filter(({ length }) => length > 0)
}

function trimmed(lines: readonly string[]): string[] {
  const from = lines.findIndex(line => line.trim() !== '')
  return from < 0 ? [] : lines.slice(from, lines.findLastIndex(line => line.trim() !== '') + 1)
}

/** Words compared together. */
const WINDOW = 4
/** Number of window hashes stored. */
const SLOTS = 1 << 20

/**
 * Recognises text seen before, regardless of line breaks. It stores a million hashes of word windows in four MiB; new
 * ones replace old ones, so its memory does not grow with a mailbox.
 */
export class SeenText {
  readonly #hashes = new Uint32Array(SLOTS)

  add(text: string): void {
    for (const hash of windowsOf(text)) this.#hashes[hash % SLOTS] = hash
  }

  /** Whether nearly all of the text was seen before. */
  has(text: string): boolean {
    const windows = [...windowsOf(text)]
    const seen = windows.filter(hash => this.#hashes[hash % SLOTS] === hash).length
    return windows.length > 0 && seen >= windows.length * 0.8
  }
}

/** A hash of the words in each window, or of all words if there are fewer. */
function* windowsOf(text: string): Generator<number> {
  const hashes: number[] = []
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]{1,40}/gu)) hashes.push(hashOf(word))
  for (let at = 0; at === 0 || at + WINDOW <= hashes.length; at++) {
    let hash = 0
    for (let word = at; word < Math.min(at + WINDOW, hashes.length); word++)
      hash = Math.imul(hash ^ (hashes[word] ?? 0), 0x5bd1e995) ^ (hash >>> 13)
    if (hashes.length > 0) yield hash >>> 0
  }
}

/** FNV-1a. A deliberate collision only hides quoted text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
