import { isUtf8 } from 'node:buffer'
import type { Parsed } from '../../graph/index.js'
import { Document } from '../shared/document.js'
import { type DocumentSink, type Format, type SourceFile, UnreadableFile } from '../shared/format.js'
import { MAX_BATCH } from '../shared/lines.js'
import { checked } from '../shared/record.js'
import { dayOf, joined, labelled, minuteOf } from '../shared/values.js'
import type { MailAttachment, MailMessage } from './mail-message.js'
import { personName, shownPerson } from './person.js'
import { SeenText, withoutSeen } from './quoted-text.js'

/**
 * The records of a message: its conversation is an entity with its participants, the message is a document
 * about it, and each readable attachment is another document. `path`: the name of the message within its file, if
 * there are several.
 */
export async function* mailRecords(
  file: SourceFile | undefined,
  message: MailMessage,
  seen: SeenText,
  place: { line: number; path?: string },
): AsyncGenerator<Parsed[]> {
  const { root, subject, time, from, to, cc, tags, attachments } = message
  const { line } = place
  const topic = subject.replace(ANSWER, '').trim() || 'Mail without subject'
  const title = subject || topic
  const id = `mail ${root}`
  const document = new Document(file, { id, name: topic, type: 'conversation', title, time, ...place }, line)
  for (const person of from) document.addPerson(line, 'has a message from', person)
  for (const person of [...to, ...cc]) document.addPerson(line, 'has a message to', person)
  for (const tag of tags) document.relate(line, 'tagged', tag)
  document.addPlace(headingOf(message))
  addHead(document, message)
  const lines = withoutSeen(message.lines, seen)
  // A message without text of its own is still kept.
  for (const text of lines.length > 0 ? lines : [title]) {
    document.addLine(line, text)
    if (document.batch.length >= MAX_BATCH) yield document.take()
  }
  document.end()
  for (const { name, isPart } of attachments) if (!isPart) document.relate(line, 'has attachment', name)
  yield document.take()
  for (const attachment of attachments) yield* readAttachment(file, attachment, { id, line, time })
}

/** The records of a message that is a file of its own. @throws UnreadableFile if it is not a message */
export function singleMailRecords(file: SourceFile | undefined, message: MailMessage) {
  const { from, subject, lines } = message
  if (from.length === 0 && subject === '' && lines.every(line => line.trim() === ''))
    throw new UnreadableFile('This is not a mail message: it has neither a sender nor a subject nor a text.')
  return mailRecords(file, message, new SeenText(), { line: 1 })
}

/** Prefixes of a subject: `Re:`, `Fwd:`, `AW:`, `[list]`. */
const ANSWER = /^(?:(?:re|fwd?|aw|wg|sv|vs|tr|rv|antw|odp|r|i)(?:\[\d{1,3}\])?\s{0,3}[:：]\s{0,5}){1,20}/i

/** `Ada Lovelace, 2024-05-03` */
function headingOf({ from, time }: MailMessage): string {
  const who = from[0] ? personName(from[0]).slice(0, 100) : 'Unknown sender'
  return joined([who, dayOf(time)], ', ')
}

const MAX_SHOWN = 10

/** Adds sender, recipients and date to the document; passages have sender and day in their title. */
function addHead(document: Document, { from, to, cc, time, attachments }: MailMessage): void {
  const shown = (some: MailMessage['to']) =>
    some.length > MAX_SHOWN ? [...some.slice(0, MAX_SHOWN).map(shownPerson), '…'] : some.map(shownPerson)
  const files = attachments.flatMap(({ name, isPart }) => (isPart ? [] : [name]))
  const lines = [
    labelled('- From', shown(from)),
    labelled('- To', shown(to)),
    labelled('- Copy', shown(cc)),
    labelled('- Date', [minuteOf(time)]),
    labelled('- Attached', files),
  ]
  document.addAside(`${joined(lines)}\n`)
}

const MAX_BYTES = 16 * 1_048_576
/** Maximum nesting of attached messages. */
const MAX_DEPTH = 3

/**
 * Reads an attached file as a separate document. Unreadable files are left out; the message lists their names.
 * `id`, `line` and `time` are those of the message.
 */
async function* readAttachment(
  file: SourceFile | undefined,
  { name, bytes, isPart }: MailAttachment,
  { id, line, time }: { id: string; line: number; time: number | undefined },
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
      // An invitation has no file name, so its event is attached to the message.
      const [first] = isPart ? records.filter(({ record }) => record.kind === 'entity') : []
      yield first?.record.kind === 'entity' ? [...records, attached(line, first.record.id, id)] : records
    }
  } catch {
    // Damaged or encrypted: only its name is kept.
    return
  }
  if (isPart) return
  const subject = inside.notes ? path : name
  const relation = attached(line, subject, id)
  // The file name may not be a valid entity name.
  if ('record' in relation) yield [relation]
}

const attached = (line: number, subject: string, object: string) =>
  checked(line, { kind: 'relation', subject, predicate: 'attached to', object })

/** Whether an attachment can be read: a single document that is binary or in UTF-8. */
const isReadable = ({ hasParts, isBinary }: Format, bytes: Uint8Array) =>
  !hasParts && (isBinary === true || (isUtf8(bytes) && !bytes.includes(0)))

const PIECE = 65_536

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

/** A sink for the document of the attached file. */
function inner(sink: DocumentSink, keepsBytes: boolean): DocumentSink {
  return {
    about: facts => sink.about(facts),
    write: text => void (keepsBytes || sink.write(text)),
    get line() {
      return keepsBytes ? null : sink.line
    },
    // Files inside an attached file have documents of their own as well.
    begin: (name, format) => void (format !== undefined && sink.begin(name, format)),
  }
}
