import { joined, knownTime, labelled, listOf, membersOf, objectsOf, textOf } from '../shared/conversation.js'
import type { Format } from '../shared/format.js'
import { keptAddress } from '../shared/markdown-text.js'
import { type Dialect, jsonChat } from './json-chats.js'

const MAX_PARTS = 1_000

/** Names for chats without one. */
const NAMES: Readonly<Record<string, string>> = { saved_messages: 'Saved messages', replies: 'Replies' }

const TELEGRAM: Dialect = {
  program: 'Telegram',
  chat(members) {
    const name = members.get('name') ?? NAMES[members.get('type') ?? ''] ?? 'A deleted account'
    return { name, id: members.get('id') ?? name }
  },
  message(message) {
    if (message.type !== 'message') return null
    return {
      id: message.id,
      answered: message.reply_to_message_id,
      who: textOf(message.from),
      person: textOf(message.from_id) || textOf(message.from),
      text: textIn(message),
      time: timeOf(message),
    }
  },
}

/** Telegram chats exported by Telegram Desktop (`result.json`): one chat, or all chats of an account. */
export const telegram: Format = {
  ...jsonChat(
    'telegram',
    'Telegram export (JSON)',
    /^\{(?:[\s\S]{0,900}"(?:date_unixtime|text_entities)"\s{0,5}:|\s{0,20}(?:"about"\s{0,5}:\s{0,5}"[^"]{0,900}Telegram|(?:"name"\s{0,5}:\s{0,5}(?:null|"(?:[^"\\]|\\.){0,500}")\s{0,5},\s{0,20})?"type"\s{0,5}:\s{0,5}"(?:(?:personal|bot)_chat|saved_messages|replies|verification_codes|(?:private|public)_(?:group|supergroup|channel))"))/,
    TELEGRAM,
  ),
  hasParts: true,
}

/** Seconds since 1970 or, in older exports, the local time of the exporting computer. */
const timeOf = ({ date_unixtime: seconds, date }: Record<string, unknown>) =>
  knownTime(Number(textOf(seconds)) * 1000 || Date.parse(`${textOf(date)}Z`))

/** The full text of a message, including descriptions of attachments. */
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
  // Code and quotations begin on a new line.
  return /^(?:```|>)/.test(said) ? `\n${said}` : said
}

/** The text of a string or a list of strings and of parts that are links, names or code. */
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
  // A path in brackets is the reason why the file is missing.
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

/** The title of a game or an invoice. */
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
