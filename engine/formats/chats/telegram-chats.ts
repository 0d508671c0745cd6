import type { Parsed } from '../../graph/index.js'
import { PartTitles } from '../archives/part-titles.js'
import {
  joined,
  knownTime,
  labelled,
  listOf,
  membersOf,
  objectsOf,
  parsedMembers,
  textOf,
} from '../shared/conversation.js'
import type { DocumentSink, SourceFile } from '../shared/format.js'
import { keptAddress } from '../shared/markdown-text.js'
import type { ListPart } from '../tables/json-lists.js'
import { ChatLog } from './conversation-records.js'

/** Messages that are remembered, since others may answer them, and characters of what is shown of one. */
const MAX_REMEMBERED = 5_000
const MAX_SHOWN_LENGTH = 80
const MAX_PARTS = 1_000

/** Names of chats that have none of their own. */
const NAMES: Readonly<Record<string, string>> = { saved_messages: 'Saved messages', replies: 'Replies' }

interface Said {
  who: string
  text: string
}

/** Reads the chats of an export message by message. */
export class TelegramChats {
  readonly #document: DocumentSink | undefined
  readonly #titles = new PartTitles()
  #log: ChatLog | null = null
  /** What was said, by the ids of messages, the oldest first. */
  #said = new Map<string, Said>()
  #last = ''

  constructor(file: SourceFile | undefined) {
    this.#document = file?.document
  }

  *read(part: ListPart): Generator<Parsed> {
    if ('members' in part) return yield* this.#begin(part.members)
    const message = parsedMembers(part.text)
    if (!message) return yield { line: part.line, problem: 'This message is not JSON.' }
    const text = message.type === 'message' ? textIn(message) : ''
    if (text === '' || !this.#log) return
    const who = (textOf(message.from) || 'Somebody').trim()
    const person = textOf(message.from_id) || textOf(message.from)
    const said = {
      who,
      person: person === '' ? undefined : `Telegram ${person}`,
      text: this.#answered(message) + text,
      time: timeOf(message),
    }
    yield* this.#log.add(part.line, said)
    this.#remember(idOf(message.id), { who, text })
  }

  *end(): Generator<Parsed> {
    if (!this.#log) yield { line: 1, problem: 'This is no export of Telegram: it has no list of messages.' }
    yield* this.#log?.end(1) ?? []
  }

  endsDocument(part: ListPart): boolean {
    return 'members' in part
  }

  /** @param members what the export says of a chat before its messages */
  *#begin(members: ReadonlyMap<string, string>): Generator<Parsed> {
    yield* this.#log?.end(1) ?? []
    const type = members.get('type') ?? ''
    const own = this.#titles.next(members.get('name') ?? NAMES[type] ?? 'A deleted account')
    const name = `Telegram: ${own}`.slice(0, 200)
    const chat = { id: `Telegram chat ${members.get('id') ?? own}`, name, path: name, type: 'Telegram chat' }
    this.#log = new ChatLog(this.#document, () => chat)
    this.#said = new Map()
    this.#last = ''
  }

  /** What a message answers, unless that stands just above it. */
  #answered(message: Record<string, unknown>): string {
    const id = idOf(message.reply_to_message_id)
    const said = id === '' || id === this.#last ? undefined : this.#said.get(id)
    if (!said) return ''
    const text = said.text.replace(/\s+/g, ' ')
    const shown =
      text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH).toWellFormed().trimEnd()}…` : text
    return `(to ${said.who}: “${shown}”) `
  }

  #remember(id: string, { who, text }: Said): void {
    this.#last = id
    if (id === '') return
    this.#said.set(id, { who, text: text.slice(0, 2 * MAX_SHOWN_LENGTH) })
    const [oldest] = this.#said.keys()
    if (this.#said.size > MAX_REMEMBERED && oldest !== undefined) this.#said.delete(oldest)
  }
}

const idOf = (id: unknown) =>
  typeof id === 'number' || typeof id === 'string' ? String(id).slice(0, 40) : ''

/** Seconds since 1970, or, in older exports, the time on the clock of who made it. */
const timeOf = ({ date_unixtime: seconds, date }: Record<string, unknown>) =>
  knownTime(Number(textOf(seconds)) * 1000 || Date.parse(`${textOf(date)}Z`))

/** All that a message says, with what is attached in words. */
function textIn(message: Record<string, unknown>): string {
  const from = textOf(message.forwarded_from)
  const lines = [
    from === '' ? '' : `Forwarded from ${from}:`,
    written(message.text).trim(),
    ...pollIn(membersOf(message.poll)),
    ...tasksIn(membersOf(message.todo_list)),
    ...titleIn(message),
    ...placeIn(message),
    attachedIn(message),
    reactionsIn(message.reactions),
  ].filter(line => line !== '')
  const said = from !== '' && lines.length === 1 ? '' : lines.join('\n')
  // Code and quotations begin a line.
  return /^(?:```|>)/.test(said) ? `\n${said}` : said
}

/** A text, or a list of texts and of parts that are links, names or code. */
function written(text: unknown): string {
  if (typeof text === 'string') return text
  return listOf(text)
    .slice(0, MAX_PARTS)
    .map(part => {
      if (typeof part === 'string') return part
      const { type, text, href } = membersOf(part)
      const said = textOf(text)
      const address = type === 'text_link' ? keptAddress(textOf(href)) : null
      if (type === 'pre') return `\n\`\`\`\n${said.replaceAll('```', '')}\n\`\`\`\n`
      return address === null || address === said ? said : `${said} (${address})`
    })
    .join('')
}

function attachedIn(message: Record<string, unknown>): string {
  const { file, photo, media_type: media, file_name: named, sticker_emoji: emoji } = message
  if (media === 'sticker') return textOf(emoji)
  if (textOf(photo) === '' && textOf(file) === '') return ''
  const path = textOf(file)
  // In brackets it says why the file is not there.
  const name = textOf(named) || (path.startsWith('(') ? '' : (path.split('/').at(-1) ?? ''))
  const kind = textOf(photo) === '' ? textOf(media).replaceAll('_', ' ') : 'photo'
  return `Attached: ${name || kind || 'file'}`.slice(0, 300)
}

function pollIn({ question, answers }: Record<string, unknown>): string[] {
  const asked = written(question)
  if (asked === '') return []
  const options = objectsOf(answers).slice(0, 20)
  return [
    `Poll: ${asked}`,
    ...options.map(({ text, voters }) => `- ${written(text)}: ${Number(voters) || 0}`),
  ]
}

function tasksIn({ title, answers }: Record<string, unknown>): string[] {
  const items = objectsOf(answers).slice(0, 100)
  return items.length === 0 ? [] : [written(title), ...items.map(({ text }) => `- ${written(text)}`)]
}

/** What a game or an invoice is called. */
function titleIn({ game_title: game, invoice_information: invoice }: Record<string, unknown>): string[] {
  const { title, description } = membersOf(invoice)
  return [textOf(game), joined([title, description].map(textOf), ': ')]
}

function placeIn(message: Record<string, unknown>): string[] {
  const { latitude, longitude } = membersOf(message.location_information)
  const { first_name, last_name, phone_number } = membersOf(message.contact_information)
  const isKnown = typeof latitude === 'number' && typeof longitude === 'number'
  const place = [message.place_name, message.address, isKnown ? `${latitude}, ${longitude}` : '']
  const contact = joined([first_name, last_name, phone_number].map(textOf), ' ')
  return [labelled('Place', place.map(textOf)), labelled('Contact', [contact])]
}

const reactionsIn = (reactions: unknown) =>
  labelled(
    'Reactions',
    objectsOf(reactions)
      .slice(0, 20)
      .map(({ emoji, count }) => (textOf(emoji) === '' ? '' : `${textOf(emoji)} ${Number(count) || 1}`)),
  )
