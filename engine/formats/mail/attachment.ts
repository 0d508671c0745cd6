import { isUtf8 } from 'node:buffer'
import type { Parsed } from '../../graph/index.js'
import type { DocumentSink, Format, SourceFile } from '../shared/format.js'
import { checked } from '../shared/record.js'
import type { MailAttachment } from './mail-message.js'

/** The message that a file is attached to. */
interface Carrier {
  id: string
  line: number
  title: string
  time: number | undefined
}

const MAX_BYTES = 16 * 1_048_576
/** Messages attached to messages. */
const MAX_DEPTH = 3

/**
 * Reads a file that is attached to a message as a document of its own. One that cannot be read is left out: the message
 * names it.
 */
export async function* readAttachment(
  file: SourceFile | undefined,
  { name, bytes, isPart }: MailAttachment,
  { id, line, time }: Carrier,
): AsyncGenerator<Parsed[]> {
  const format = file?.formatInside?.(name, bytes.subarray(0, 65_536)) ?? null
  if (!format || bytes.length > MAX_BYTES || !isReadable(format, bytes)) return
  const sink = file?.document
  sink?.begin(name, format.id)
  sink?.about({ title: name, ...(time === undefined ? {} : { time }) })
  const keepsBytes = format.isBinary !== true
  if (keepsBytes) sink?.write(Buffer.from(bytes).toString('utf8'))
  const path = `${file?.path ?? 'mail'}/${name}`
  const depth = (file?.depth ?? 0) + 1
  const inside: SourceFile = {
    path,
    depth,
    ...(file?.formatInside && depth < MAX_DEPTH ? { formatInside: file.formatInside } : {}),
    ...(file?.notes ? { notes: file.notes } : {}),
    ...(sink ? { document: inner(sink, keepsBytes) } : {}),
  }
  try {
    for await (const batch of format.parse(piecesOf(bytes), inside)) {
      const records = batch.flatMap(parsed => ('record' in parsed ? [{ ...parsed, line }] : []))
      // An invitation has no name of its own: what it is about belongs to the message.
      const [first] = isPart ? records.filter(({ record }) => record.kind === 'entity') : []
      yield first?.record.kind === 'entity' ? [...records, attached(line, first.record.id, id)] : records
    }
  } catch {
    // Damaged, or with a password: its name is known all the same.
    return
  }
  if (isPart) return
  const subject = inside.notes ? path : name
  const relation = attached(line, subject, id)
  // A name that no thing can have.
  if ('record' in relation) yield [relation]
}

const attached = (line: number, subject: string, object: string) =>
  checked(line, { kind: 'relation', subject, predicate: 'attached to', object })

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
    // A file in a file that is attached has a document of its own, too.
    begin: (name, format) => void (format !== undefined && sink.begin(name, format)),
  }
}
