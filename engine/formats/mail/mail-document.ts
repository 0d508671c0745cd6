import type { Parsed } from '../../graph/index.js'
import { Document } from '../shared/document.js'
import type { SourceFile } from '../shared/format.js'
import { MAX_BATCH } from '../shared/lines.js'
import { readAttachment } from './attachment.js'
import type { MailMessage } from './mail-message.js'
import { type Person, personName } from './person.js'
import { withoutSeen } from './quoted-text.js'
import type { SeenText } from './seen-text.js'

/**
 * The records of a message: its conversation is a thing with the people who wrote in it, the message a document
 * about that, and each attachment that can be read another one. `path`: the name of the message within its file, if that
 * holds several.
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
  for (const tag of tags) document.tag(line, tag)
  const heading = headingOf(message)
  document.addPlace(heading)
  addHead(document, message)
  const lines = withoutSeen(message.lines, seen)
  // One that says nothing of its own is still a message.
  for (const text of lines.length > 0 ? lines : [title]) {
    document.addLine(line, text)
    if (document.batch.length >= MAX_BATCH) yield document.take()
  }
  document.end()
  for (const { name, isPart } of attachments) if (!isPart) document.relate(line, 'has attachment', name)
  yield document.take()
  for (const attachment of attachments)
    yield* readAttachment(file, attachment, { id, line, title: `${topic} > ${heading}`, time })
}

/** `Re:`, `Fwd:`, `AW:`, `[list]` before the topic. */
const ANSWER = /^(?:(?:re|fwd?|aw|wg|sv|vs|tr|rv|antw|odp|r|i)(?:\[\d{1,3}\])?\s{0,3}[:：]\s{0,5}){1,20}/i

/** `Ada Lovelace, 2024-05-03` */
function headingOf({ from, time }: MailMessage): string {
  const who = from[0] ? personName(from[0]).slice(0, 100) : 'Unknown sender'
  return time === undefined ? who : `${who}, ${new Date(time).toISOString().slice(0, 10)}`
}

const MOST_SHOWN = 10

/** Who wrote it to whom and when, for people to read: the passage has its sender and day in its title. */
function addHead(document: Document, { from, to, cc, time, attachments }: MailMessage): void {
  const people = (role: string, some: MailMessage['to']) => {
    if (some.length === 0) return []
    const shown = some.slice(0, MOST_SHOWN).map(shownPerson)
    return [`- ${role}: ${shown.join(', ')}${some.length > MOST_SHOWN ? ', …' : ''}`]
  }
  const files = attachments.filter(({ isPart }) => !isPart)
  const lines = [
    ...people('From', from),
    ...people('To', to),
    ...people('Copy', cc),
    ...(time === undefined ? [] : [`- Date: ${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}`]),
    ...(files.length > 0 ? [`- Attached: ${files.map(({ name }) => name).join(', ')}`] : []),
  ]
  document.addAside(`${lines.join('\n')}\n`)
}

const shownPerson = ({ name, address }: Person) =>
  address === '' ? name : name.includes(address) ? `<${address}>` : `${name} <${address}>`.trim()
