import { isUtf8 } from 'node:buffer'
import PostalMime, { type Address, addressParser, decodeWords, type Email } from 'postal-mime'
import { words } from '../../../platform/common/words.js'
import { decoderOf, knownDecoder } from '../shared/encoding.js'
import { digest, flatName as flat } from '../shared/flat.js'
import { legacyCharset } from '../shared/legacy-charset.js'
import { labelled, minuteOf } from '../shared/values.js'
import { htmlLines } from '../web/html-lines.js'
import { type Person, shownPerson } from './person.js'
import { tnefFiles } from './tnef.js'

/** A decoded message (RFC 5322). */
export interface MailMessage {
  /** The id of this message, without angle brackets. */
  id: string
  /** The id of the first message of the conversation. */
  root: string
  /** The id of the message that this one answers, or null. */
  inReplyTo: string | null
  subject: string
  /** Milliseconds since 1970. */
  time: number | undefined
  from: Person[]
  to: Person[]
  cc: Person[]
  /** Folders or labels in the original program. */
  tags: string[]
  lines: string[]
  attachments: MailAttachment[]
}

export interface MailAttachment {
  name: string
  bytes: Uint8Array
  /** Whether it is part of the message and not shown as a file, such as an invitation. */
  isPart?: true
}

/** Maximum nesting of MIME parts and messages, and bytes of all headers. */
const LIMITS = { maxNestingDepth: 30, maxHeadersSize: 262_144, forceRfc822Attachments: true }
const MAX_MESSAGES = 3
/** Maximum people of each kind. */
export const MAX_PEOPLE = 100
export const MAX_ATTACHMENTS = 50
/** Maximum characters of text. */
const MAX_TEXT = 1_048_576
const MAX_ID = 200

/**
 * Decodes a message. Nothing external is loaded.
 * @throws Error if it is nested too deeply or its headers are too long
 */
export async function mailMessage(bytes: Uint8Array, depth = 0): Promise<MailMessage> {
  const [unflowed, flow] = withoutFlow(await asUtf8(bytes))
  const mail = await PostalMime.parse(unflowed, LIMITS)
  const header = headersOf(mail)
  const from =
    archivedPerson(header('from')) ??
    peopleOf(mail.from ? addressParser(header('from')) : mail.sender ? [mail.sender] : [])
  const subject = flat(mail.subject ?? '')
  const time = timeOf(mail.date ?? header('date')) ?? timeOf(header('received').split(';').at(-1) ?? '')
  const about = { time, from, subject }
  const thread = threadOf(mail.messageId, header('in-reply-to'), header('references'), about)
  // Spread objects would take a tenth of the reading time.
  const message: MailMessage = {
    id: thread.id,
    root: header('x-gm-thrid') || thread.root,
    inReplyTo: thread.inReplyTo,
    subject,
    time,
    from,
    to: peopleOf(mail.to ?? []),
    cc: peopleOf(mail.cc ?? []),
    tags: tagsOf(header),
    lines: [...linesOf(mail, flow), ...mail.attachments.flatMap(textPartOf)],
    attachments: [],
  }
  for (const part of mail.attachments.slice(0, MAX_ATTACHMENTS)) {
    if (part.mimeType !== 'message/rfc822' || part.disposition === 'attachment' || depth >= MAX_MESSAGES)
      message.attachments.push(...attachmentOf(part, mail.attachments))
    else addMessage(message, await mailMessage(bytesOf(part.content), depth + 1))
  }
  return message
}

/** Adds a nested message to the text of the outer one, with its files. */
function addMessage(message: MailMessage, { subject, time, from, lines, attachments }: MailMessage): void {
  const people = labelled('From', from.map(shownPerson))
  const head = [people, labelled('Date', [minuteOf(time)]), labelled('Subject', [subject])]
  message.lines.push('', ...head.filter(Boolean), '', ...lines)
  message.attachments.push(...attachments.slice(0, MAX_ATTACHMENTS - message.attachments.length))
}

const FLOWED = /;\s{0,9}format="?(flowed)/gi
const WITHOUT_SPACES = /delsp="?yes/i
/** How lines of a text continue on the next ones (RFC 3676 §4). */
type Flow = 'flowed' | 'without-spaces' | null

/** Declares text as not flowed, because the decoder would join quoted lines together with their marks. */
function withoutFlow(bytes: Uint8Array): [bytes: Uint8Array, flow: Flow] {
  const message = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (message.indexOf('lowed') < 0) return [bytes, null]
  const copy = Buffer.from(message)
  const head = copy.toString('latin1', 0, LIMITS.maxHeadersSize)
  const found = [...head.matchAll(FLOWED)]
  for (const { index, 0: all } of found) copy.write('fixed ', index + all.length - 6, 'latin1')
  return [copy, found.length === 0 ? null : WITHOUT_SPACES.test(head) ? 'without-spaces' : 'flowed']
}

/**
 * Converts a message to UTF-8. Old programs used the character set of the computer: in names and subjects without
 * encoding them (RFC 2047), and in texts without declaring it.
 */
async function asUtf8(bytes: Uint8Array): Promise<Uint8Array> {
  if (isUtf8(bytes)) return bytes
  const message = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const gap = message.slice(0, LIMITS.maxHeadersSize).search(/\n\r?\n/)
  const head = gap < 0 ? message.slice(0, LIMITS.maxHeadersSize) : message.slice(0, gap)
  const text = bytes.subarray(head.length)
  // Text in a declared character set is decoded with its part.
  const isDeclared = isUtf8(text) || /charset="?(?!utf-?8)/i.test(message)
  return Buffer.concat([
    utf8Headers(head),
    isDeclared ? text : Buffer.from(decoderOf(await legacyCharset(text)).decode(text)),
  ])
}

/** Decodes headers in the character set of the text. */
function utf8Headers(head: string): Uint8Array {
  if (isUtf8(Buffer.from(head, 'latin1'))) return Buffer.from(head, 'latin1')
  const [, charset = ''] = CHARSET.exec(head) ?? []
  const encoded = Buffer.from(head.replace(ENCODED_WORD, withoutBytes), 'latin1')
  // The headers are not in UTF-8 even if the message declares it.
  const known = /^utf-?8$/i.test(charset) ? null : knownDecoder(charset)
  return Buffer.from((known ?? decoderOf('windows-1252')).decode(encoded))
}

/** An encoded word (RFC 2047) with unencoded bytes in it. */
const ENCODED_WORD = /=\?[\w-]{1,40}\?q\?[^?\s]{1,200}\?=/gi
const withoutBytes = (word: string) =>
  word.replace(/[\x80-\xff]/g, byte => `=${byte.charCodeAt(0).toString(16).toUpperCase()}`)

const CHARSET = /^content-type:[^\n]{0,200}(?:\n[ \t][^\n]{0,200}){0,3}?charset="?([\w-]{1,30})/im

/** Returns the first header with a name, without NUL characters. */
function headersOf({ headers }: Email) {
  const first = new Map([...headers].reverse().map(({ key, value }) => [key, value]))
  return (name: string) => clean(first.get(name) ?? '').trim()
}

/** The ids of a message, of the one that it answers and of the first one, from its headers. */
export function threadOf(
  messageId: string | undefined,
  answered: string,
  above: string,
  { time, from, subject }: Pick<MailMessage, 'time' | 'from' | 'subject'>,
): Pick<MailMessage, 'id' | 'inReplyTo' | 'root'> {
  const references = idsOf(above)
  const inReplyTo = idsOf(answered)[0] ?? references.at(-1) ?? null
  const id = idsOf(messageId ?? '')[0] ?? `${digest(`${time} ${from[0]?.address} ${subject}`)}@unknown`
  return { id, inReplyTo, root: references[0] ?? inReplyTo ?? id }
}

/** The ids in a header, without angle brackets. */
function idsOf(text: string): string[] {
  const ids = [...text.slice(0, 20_000).matchAll(/<([^<>\s]{1,900})>/g)].map(match => match[1] ?? '')
  // Old programs wrote sentences, such as “Your message of Tuesday”.
  const first = text.trim().split(/\s+/, 1)
  const found = ids.length > 0 ? ids : first.filter(word => word.includes('@'))
  return found.map(id => clean(id).slice(0, MAX_ID)).filter(Boolean)
}

const peopleOf = (addresses: readonly Address[]): Person[] =>
  addresses
    .flatMap(each => each.group ?? [each])
    .map(({ name, address }) => ({ name: flat(name), address: clean(address ?? '').trim() }))
    .filter(({ name, address }) => name !== '' || address !== '')
    .slice(0, MAX_PEOPLE)

/** Parses `ada at example.org (Ada Lovelace)`, the form in archives of mailing lists. */
function archivedPerson(text: string): Person[] | null {
  const [, user, host, name = ''] = /^(\S{1,200}) at (\S{1,200})(?:\s\((.{0,300})\))?$/s.exec(text) ?? []
  if (user === undefined || host === undefined) return null
  const shown = flat(decodeWords(name))
  return [{ name: shown.includes(' at ') ? '' : shown, address: `${user}@${host}` }]
}

/** Range of plausible message times, in milliseconds since 1970. */
export const [EARLIEST, LATEST] = [Date.UTC(1971, 0), Date.UTC(2100, 0)]

/** Implausible dates are dropped. Unknown time zones are ignored (RFC 5322 §4.3). */
function timeOf(text: string): number | undefined {
  const written = text.replace(/\([^()]{0,50}\)/g, '').trim()
  const known = Date.parse(written)
  const time = Number.isNaN(known)
    ? Date.parse(written.replace(/\s["']?[a-z][a-z/_]{0,30}["']?$/i, ' +0000'))
    : known
  return time > EARLIEST && time < LATEST ? time : undefined
}

/** Labels of Gmail, and keywords of other programs (RFC 5322 §3.6.5, Thunderbird). */
function tagsOf(header: (name: string) => string): string[] {
  const labels = header('x-gmail-labels') || header('keywords')
  const known = decodeWords(labels)
    .split(',')
    .map(label => flat(label).replace(/^"|"$/g, ''))
  return [...new Set([...known, ...header('x-mozilla-keys').split(' ')])]
    .filter(label => label !== '' && !SETTINGS.has(label.toLowerCase()))
    .slice(0, 20)
}

/** Labels for the state of a message, unrelated to its subject. */
const SETTINGS = words('inbox sent unread opened archived important starred drafts chat nonjunk junk')

/** The text of a message, taken from its HTML if there is nothing else, with quotations marked. */
export function linesOf({ text, html }: Pick<Email, 'text' | 'html'>, flow: Flow = null): string[] {
  if (text?.trim()) return linesIn(text.slice(0, MAX_TEXT), flow)
  if (!html) return []
  const whole = html.slice(0, MAX_TEXT)
  const at = whole.search(QUOTE)
  const own = htmlLines(at < 0 ? whole : whole.slice(0, at))
  return at < 0 ? own : [...own, '', ...htmlLines(whole.slice(at)).map(line => `> ${line}`)]
}

/** HTML markup before quotations of various programs. */
const QUOTE =
  /<(?:blockquote[^>]{0,200}type="?cite|div[^>]{0,100}(?:class="?(?:gmail_quote|yahoo_quoted|moz-cite-prefix)|id="?(?:divRplyFwdMsg|appendonsend)))/i

function linesIn(text: string, flow: Flow): string[] {
  // Mailboxes escape "From " as ">From " (RFC 4155).
  const lines = clean(text)
    .split(/\r\n?|\n/)
    .map(line => line.replace(/^>(>*From )/, '$1'))
  return withoutFiles((flow ? withoutBreaks(lines, flow) : lines).map(line => line.trimEnd()))
}

/** Joins lines that end with a space with the next one, if the quotation level is the same. */
function withoutBreaks(lines: readonly string[], flow: Flow): string[] {
  const joined: string[] = []
  let open = ''
  for (const line of lines) {
    const marks = /^>*/.exec(line)?.[0] ?? ''
    const text = line.slice(marks.length).replace(/^ /, '')
    const isSame = open === `${marks} ` && text !== '-- '
    if (isSame) joined.push((joined.pop() ?? '').slice(0, flow === 'flowed' ? undefined : -1) + text)
    else joined.push(marks === '' ? text : `${marks} ${text}`)
    open = text.endsWith(' ') && text !== '-- ' ? `${marks} ` : ''
  }
  return joined
}

/** The first line of a uuencoded file, as before MIME, and its lines: 45 bytes as 60 characters. */
const FILE = /^begin [0-7]{3,4} (\S.{0,200})$/
const PART_OF_FILE = /^(?:M[ -`]{60}|[!-L][ -`]{1,60}|`|end)?$/

/** Replaces uuencoded files with their names. */
function withoutFiles(lines: string[]): string[] {
  let isFile = false
  return lines.flatMap((line, at) => {
    if (isFile) {
      isFile = line !== 'end' && PART_OF_FILE.test(line)
      return isFile || line === 'end' ? [] : [line]
    }
    const [, name] = FILE.exec(line) ?? []
    isFile = name !== undefined && PART_OF_FILE.test(lines[at + 1] ?? '')
    return isFile ? [`[${name}]`] : [line]
  })
}

type Part = Email['attachments'][number]

/** Types of parts without a file name that belong to the message: alternative text, invitations, contacts. */
const NAMES: Readonly<Record<string, string>> = {
  'text/calendar': 'invitation.ics',
  'application/ics': 'invitation.ics',
  'text/vcard': 'contact.vcf',
  'text/x-vcard': 'contact.vcf',
  'message/rfc822': 'message.eml',
}

function attachmentOf({ filename, mimeType, content, related }: Part, all: Part[]): MailAttachment[] {
  const bytes = bytesOf(content)
  const own = fileName(filename ?? '')
  const name = own || (NAMES[mimeType] ?? '')
  const files = tnefFiles(bytes)?.map(file => ({ ...file, name: fileName(file.name) }))
  if (files) return files.filter(({ name }) => name !== '')
  if (name === '' || related === true) return []
  if (own === '') {
    // Programs attach the same invitation again as a file.
    const isFile = all.some(other => other.filename && bytesOf(other.content).equals(bytes))
    return isFile ? [] : [{ name, bytes, isPart: true }]
  }
  return [{ name, bytes }]
}

/** The name of an attached file, without folders. */
export const fileName = (name: string): string => flat(name).replace(/[/\\]/g, '_').slice(-150)

function textPartOf({ filename, mimeType, content, disposition }: Part): string[] {
  if (filename || disposition === 'attachment' || !mimeType.startsWith('text/') || mimeType in NAMES)
    return []
  const text = clean(bytesOf(content).toString('utf8').slice(0, MAX_TEXT))
  return ['', ...(/^text\/(?:enriched|richtext)$/.test(mimeType) ? enriched(text) : text).split(/\r?\n/)]
}

/** A single line break is a space, each further one ends a line (RFC 1896 §3). */
const enriched = (text: string) =>
  text
    .replace(/\r\n/g, '\n')
    .replace(/\n{1,1000}/g, ends => (ends.length === 1 ? ' ' : ends.slice(1)))
    .replace(/<param>[^<>]{0,1000}<\/param>/gi, '')
    .replace(/<<|<(\/?[a-z][\w-]{0,60})>/gi, (_, name?: string) =>
      name === undefined ? '<' : /^(?:nl|\/?paragraph)$/i.test(name) ? '\n' : '',
    )

/** The decoder returns bytes unless asked for text. */
const bytesOf = (content: Part['content']): Buffer => Buffer.from(content as Uint8Array)

/** Removes NUL characters. */
export const clean = (text: string) => text.replaceAll('\0', '')
