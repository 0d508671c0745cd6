import { FORMATS, formatOfFile } from './formats.js'
import { type FileHead, headOf } from './shared/file-head.js'
import { extensionOf } from './shared/file-name.js'
import type { Format } from './shared/format.js'
import { unreadableBytes, unreadableName } from './shared/unreadable.js'

/** A file's format, an archive, or the reason why it cannot be read; null if unknown. */
type Identified = { format: Format } | { archive: true } | Unreadable | null

interface Unreadable {
  unreadable: string
  /** Whether its format is readable but its contents are of another kind. */
  isOther?: true
}

const OTHER_JSON: Unreadable = {
  unreadable:
    'This JSON is of no kind that is read. Save what it holds as a table (.csv) or text, or choose its format.',
  isOther: true,
}
const OTHER_XML: Unreadable = {
  unreadable:
    'This XML is of no kind that is read. Save what it holds as a table (.csv), a page (.html) or text.',
  isOther: true,
}
/** The namespace that every RDF/XML file declares (RDF 1.1 XML Syntax §5.1). */
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'

/**
 * Identifies a file by its first bytes, or by its name if they are ambiguous, as for most text.
 * `start` is the beginning of the file, up to 64 KiB.
 */
export function identify(path: string, start: Uint8Array): Identified {
  const head = headOf(path, start)
  const named = formatOfFile(path)
  const certain = FORMATS.filter(({ signature }) => signature?.(head))
  const format = certain.find(other => other === named) ?? certain[0]
  if (format) return { format }
  const unreadable = unreadableBytes(head)
  if (unreadable) return { unreadable }
  if (head.parts.length > 0 || isEmptyZip(head))
    return named?.isZip && head.parts.some(isXml) ? { format: named } : { archive: true }
  const detected = mayBeAnother(named, head) ? FORMATS.find(({ tells }) => tells?.test(head.text)) : named
  const chosen = detected ?? named
  if (chosen) return alike(chosen, head)
  const text = head.extension === '' && isText(head) ? formatOfFile('.txt') : null
  return text ? { format: text } : unknown(head.extension)
}

/** The same if only its name is known. */
export function identifyName(path: string): Identified {
  const format = formatOfFile(path)
  return format ? { format } : unknown(extensionOf(path))
}

function unknown(extension: string): Identified {
  if (extension === 'zip') return { archive: true }
  const unreadable = unreadableName(extension)
  return unreadable ? { unreadable } : null
}

/** Whether a text may have another format than its extension: for text, CSV, XML, and extensions of binary formats. */
function mayBeAnother(named: Format | null, { text }: FileHead): boolean {
  if (!named || named.tells?.test(text)) return !named
  return named.isBinary === true || named.id === 'text' || named.id === 'csv' || named.id === 'rdfxml'
}

/** Of several formats with an extension, the one that begins like this text. The extension of JSON alone is not enough. */
function alike(named: Format, { name, extension, text, bytes }: FileHead): Identified {
  if (named.begins?.test(text)) return { format: named }
  const ends = extension === '' ? named.extensions : [extension]
  const isAlike = ({ extensions }: Format) => extensions.some(end => ends.includes(end))
  const found = FORMATS.find(other => other.begins?.test(text) && isAlike(other))
  if (found) return { format: found }
  if (extension === 'xml' && named.id === 'rdfxml' && text.startsWith('<') && !bytes.includes(RDF))
    return OTHER_XML
  const isOther = extension === 'json' && text !== '' && !named.names?.test(name)
  return isOther ? OTHER_JSON : { format: named }
}

/** An empty zip consists of the end of central directory record (APPNOTE.TXT §4.3.16). */
const isEmptyZip = ({ bytes }: FileHead) => bytes.toString('latin1', 0, 4) === 'PK\x05\x06'

/** Office documents and books contain XML, but the parts that identify them may be at the end. */
const isXml = (part: string) => /\.(?:xml|rels|opf|x?html)$/i.test(part)

const isText = ({ bytes, text }: FileHead) => text !== '' && !bytes.subarray(0, 4_096).includes(0)
