import type { Parsed } from '../../graph/index.js'
import { PartTitles } from '../archives/part-titles.js'
import { knownTime, listOf, membersOf, parsedMembers, textOf } from '../shared/conversation.js'
import type { SourceFile } from '../shared/format.js'
import { keptAddress } from '../shared/link-text.js'
import { ChatLog } from './chat-log.js'

/** Messages that are remembered, since others may answer them, and characters of what is shown of one. */
const MOST_REMEMBERED = 5_000
const LONGEST_SHOWN = 80
const MOST_PARTS = 1_000

/** Names of chats that have none of their own. */
const NAMES: Readonly<Record<string, string>> = { saved_messages: 'Saved messages', replies: 'Replies' }

interface Said {
  who: string
  text: string
}

/** Reads the chats of an export message by message. */
export class TelegramChats {
  readonly #file: SourceFile | undefined
  readonly #titles = new PartTitles()
  #chat: { name: string; id: string } | null = null
  #log: ChatLog | null = null
  /** What was said, by the ids of messages, the oldest first. */
  #said = new Map<string, Said>()
  #last = ''
  #isExport = false

  constructor(file: SourceFile | undefined) {
    this.#file = file
  }

  /** @param members what the export says of a chat before its messages */
  *begin(members: ReadonlyMap<string, string>): Generator<Parsed> {
    yield* this.#finish()
    const type = members.get('type') ?? ''
    const name = this.#titles.next(members.get('name') ?? NAMES[type] ?? 'A deleted account')
    this.#chat = { name: `Telegram: ${name}`.slice(0, 200), id: `Telegram chat ${members.get('id') ?? name}` }
    this.#isExport = true
  }

  /** @param text one message as JSON */
  *read(line: number, text: string): Generator<Parsed> {
    const message = parsedMembers(text)
    if (!message) return yield { line, problem: 'This message is not JSON.' }
    const said = message.type === 'message' ? textIn(message) : ''
    if (said === '') return
    const place = idOf(message.id)
    const who = (textOf(message.from) || 'Somebody').trim().slice(0, 200)
    const time = timeOf(message)
    const log = this.#log ?? (yield* this.#open(line, time))
    const person = textOf(message.from_id) || textOf(message.from)
    const id = person === '' ? undefined : `Telegram ${person}`.slice(0, 200)
    yield* log.add(line, { who, person: id, text: this.#answered(message) + said, time })
    this.#remember(place, { who, text: said })
  }

  *end(): Generator<Parsed> {
    yield* this.#finish()
    if (!this.#isExport)
      yield { line: 1, problem: 'This is no export of Telegram: it has no list of messages.' }
  }

  *#finish(): Generator<Parsed> {
    yield* this.#log?.end(1) ?? []
    this.#log = null
    this.#said = new Map()
    this.#last = ''
  }

  *#open(line: number, time: number | undefined): Generator<Parsed, ChatLog> {
    const { name, id } = this.#chat ?? { name: 'Telegram', id: 'Telegram' }
    const document = this.#file?.document
    document?.begin(name)
    this.#log = yield* ChatLog.open({ id, name, type: 'Telegram chat' }, document, line, time)
    return this.#log
  }

  /** What a message answers, unless that stands just above it. */
  #answered(message: Record<string, unknown>): string {
    const id = idOf(message.reply_to_message_id)
    const said = id === '' || id === this.#last ? undefined : this.#said.get(id)
    if (!said) return ''
    const flat = said.text.replace(/\s+/g, ' ')
    const shown =
      flat.length > LONGEST_SHOWN ? `${flat.slice(0, LONGEST_SHOWN).toWellFormed().trimEnd()}…` : flat
    return `(to ${said.who}: “${shown}”) `
  }

  #remember(id: string, { who, text }: Said): void {
    this.#last = id
    if (id === '') return
    this.#said.set(id, { who, text: text.slice(0, 2 * LONGEST_SHOWN) })
    const [oldest] = this.#said.keys()
    if (this.#said.size > MOST_REMEMBERED && oldest !== undefined) this.#said.delete(oldest)
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
    .slice(0, MOST_PARTS)
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
  const options = listOf(answers).slice(0, 20).map(membersOf)
  return [
    `Poll: ${asked}`,
    ...options.map(({ text, voters }) => `- ${written(text)}: ${Number(voters) || 0}`),
  ]
}

function tasksIn({ title, answers }: Record<string, unknown>): string[] {
  const items = listOf(answers).slice(0, 100).map(membersOf)
  return items.length === 0 ? [] : [written(title), ...items.map(({ text }) => `- ${written(text)}`)]
}

/** What a game or an invoice is called. */
function titleIn({ game_title: game, invoice_information: invoice }: Record<string, unknown>): string[] {
  const { title, description } = membersOf(invoice)
  return [textOf(game), [textOf(title), textOf(description)].filter(Boolean).join(': ')]
}

function placeIn(message: Record<string, unknown>): string[] {
  const { latitude, longitude } = membersOf(message.location_information)
  const { first_name, last_name, phone_number } = membersOf(message.contact_information)
  const place = [message.place_name, message.address].map(textOf).filter(Boolean)
  const contact = [first_name, last_name, phone_number].map(textOf).filter(Boolean)
  if (typeof latitude === 'number' && typeof longitude === 'number') place.push(`${latitude}, ${longitude}`)
  return [
    place.length > 0 ? `Place: ${place.join(', ')}` : '',
    contact.length > 0 ? `Contact: ${contact.join(' ')}` : '',
  ]
}

function reactionsIn(reactions: unknown): string {
  const shown = listOf(reactions)
    .slice(0, 20)
    .map(membersOf)
    .flatMap(({ emoji, count }) => (textOf(emoji) === '' ? [] : [`${textOf(emoji)} ${Number(count) || 1}`]))
  return shown.length > 0 ? `Reactions: ${shown.join(', ')}` : ''
}
