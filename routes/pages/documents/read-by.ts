import type { DocumentReads, PartRead } from '../../../domain/activity/document-readers.js'
import type { DocumentPassage, StoredDocument } from '../../../domain/safes/documents/documents.js'
import { showNumber, showTime } from '../../../platform/common/format.js'
import { documentsTexts } from '../../../views/texts/documents.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { pathWith } from '../list.js'

/** The view model of `views/parts/read-by.eta`: which assistants read a document, and which parts of it. */
interface ReadBy {
  readers: ReaderView[]
  others: string | null
  /** The period. Without readers, the whole sentence. */
  when: string
}

interface ReaderView {
  name: string
  /** The account, unless it is the viewer's own. */
  user: string | null
  /** Link to its activity in the Safe. */
  href: string
  times: string
  time: string
  /** ISO 8601. */
  datetime: string
  parts: { name: string; href: string }[]
  /** The number of further parts it read. */
  more: string | null
}

/** Maximum parts of a document named for a reader, and maximum characters shown of one without a heading. */
const MAX_PARTS = 4
const MAX_CHARACTERS = 40
const HEADING = ' > '

/** Null if reads are not recorded. `safePath` is the address of the Safe. */
export function readBy(
  safePath: string,
  document: StoredDocument,
  passages: readonly DocumentPassage[],
  { readers, otherReaders, days }: DocumentReads,
): ReadBy | null {
  if (days === 0) return null
  const m = documentsTexts.readBy
  return {
    readers: readers.map(({ connectionId, name, email, times, lastAt, parts }) => {
      const named = namesOf(document, passages, parts)
      return {
        name,
        user: email,
        href: pathWith(`${safePath}/activity`, { kind: 'question', connection: connectionId }),
        times: m.times(showNumber(times)),
        time: showTime(lastAt),
        datetime: new Date(lastAt).toISOString(),
        parts: named.slice(0, MAX_PARTS),
        more: named.length > MAX_PARTS ? m.more(named.length - MAX_PARTS) : null,
      }
    }),
    others: otherReaders > 0 ? thingsTexts.thing.otherReaders(otherReaders) : null,
    when: readers.length > 0 ? m.lately(days) : m.unread(days),
  }
}

/** Whether a passage of the current document was read. */
export function readPassages(
  { importId }: StoredDocument,
  { parts }: DocumentReads,
): (id: number) => boolean {
  const ofImport = parts.filter(part => part.importId === importId)
  return id => ofImport.some(({ first, last }) => id >= first && id <= last)
}

/** The parts that were read, by their headings or first words, with links to their places; the latest first. */
function namesOf(
  { importId, title }: StoredDocument,
  passages: readonly DocumentPassage[],
  parts: readonly PartRead[],
) {
  const names = new Map<string, string>()
  for (const part of parts) {
    const read = passages.filter(
      ({ id }) => part.importId === importId && id >= part.first && id <= part.last,
    )
    const isWhole = read.length > 1 && read.length === passages.length
    for (const passage of isWhole ? read.slice(0, 1) : read) {
      const name = isWhole ? documentsTexts.readBy.whole : nameOf(passage, title)
      if (!names.has(name)) names.set(name, `#p-${passage.id}`)
    }
  }
  return Array.from(names, ([name, href]) => ({ name, href }))
}

/** Its headings without that of the document, otherwise its first words; front matter has its own name. */
function nameOf({ title, text }: DocumentPassage, documentTitle: string): string {
  const [, first, ...others] = title.split(HEADING)
  const headings = first === undefined || first === documentTitle ? others : [first, ...others]
  if (headings.length > 0) return headings.join(' › ')
  if (/^[\w-]+: /.test(text)) return documentsTexts.document.properties
  const words = text.replace(/[\s#*_>[\]|`-]+/g, ' ').trim()
  return `“${words.length > MAX_CHARACTERS ? `${words.slice(0, MAX_CHARACTERS - 1).trimEnd()}…` : words}”`
}
