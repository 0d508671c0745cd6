import { isUtf8 } from 'node:buffer'
import type { Parsed } from '../../graph/index.js'
import type { DocumentSink, Format, SourceFile } from '../shared/format.js'
import { checked } from '../shared/record.js'

interface Attachment {
  name: string
  bytes: Uint8Array
}

/** The message that a file is attached to. */
interface Carrier {
  id: string
  line: number
  title: string
  time: number | undefined
}

/** Formats of files that are messages or records of their own kind; attached, they are not read. */
const MOST_BYTES = 16 * 1_048_576

/**
 * Reads a file that is attached to a message as a document of its own. One that cannot be read is left out: the message
 * names it.
 */
export async function* readAttachment(
  file: SourceFile | undefined,
  { name, bytes }: Attachment,
  { id, line, time }: Carrier,
): AsyncGenerator<Parsed[]> {
  const format = file?.formatInside?.(name, bytes.subarray(0, 65_536)) ?? null
  if (!format || bytes.length > MOST_BYTES || !isReadable(format, bytes)) return
  const sink = file?.document
  sink?.begin(name, format.id)
  sink?.about({ title: name, ...(time === undefined ? {} : { time }) })
  const keepsBytes = format.isBinary !== true
  if (keepsBytes) sink?.write(Buffer.from(bytes).toString('utf8'))
  const path = `${file?.path ?? 'mail'}/${name}`
  const inside = {
    path,
    ...(file?.notes ? { notes: file.notes } : {}),
    ...(sink ? { document: inner(sink, keepsBytes) } : {}),
  }
  try {
    for await (const batch of format.parse(piecesOf(bytes), inside))
      yield batch.flatMap(parsed => ('record' in parsed ? [{ ...parsed, line }] : []))
  } catch {
    // Damaged, or with a password: its name is known all the same.
    return
  }
  const subject = inside.notes ? path : name
  const relation = checked(line, { kind: 'relation', subject, predicate: 'attached to', object: id })
  // A name that no thing can have.
  if ('record' in relation) yield [relation]
}

/** Text is kept as it came. */
function isReadable(format: Format, bytes: Uint8Array): boolean {
  if (format.hasParts) return false
  return format.isBinary === true || (isUtf8(bytes) && !bytes.includes(0))
}

const PIECE = 65_536

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

/** What the reader of the attached file says of its document. */
function inner(sink: DocumentSink, keepsBytes: boolean): DocumentSink {
  return {
    about: facts => sink.about(facts),
    write: text => void (keepsBytes || sink.write(text)),
    get line() {
      return keepsBytes ? null : sink.line
    },
    begin: () => {},
  }
}
