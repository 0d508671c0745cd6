import type { Format } from '../shared/format.js'
import { listOf, type Members, membersOf, objectsOf, textOf } from '../shared/json.js'
import { keptAddress } from '../shared/markdown-text.js'
import { joined, knownTime, labelled } from '../shared/values.js'
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
const timeOf = ({ date_unixtime: seconds, date }: Members) =>
  knownTime(Number(textOf(seconds)) * 1000 || Date.parse(`${textOf(date)}Z`))

/** The full text of a message, including descriptions of attachments. */
function textIn(message: Members): string {
  const { poll, todo_list: list, game_title: game, reactions } = message
  const { title, description } = membersOf(message.invoice_information)
  const from = textOf(message.forwarded_from)
  const emojis = objectsOf(reactions)
    .filter(({ emoji }) => textOf(emoji) !== '')
    .map(({ emoji, count }) => `${textOf(emoji)} ${Number(count) || 1}`)
  const said = joined([
    written(message.text).trim(),
    ...answersOf('Poll: ', membersOf(poll).question, membersOf(poll).answers, 20),
    ...answersOf('', membersOf(list).title, membersOf(list).answers, 100),
    textOf(game),
    joined([title, description].map(textOf), ': '),
    ...placeIn(message),
    attachedIn(message),
    labelled('Reactions', emojis.slice(0, 20)),
  ])
  const whole = from === '' || said === '' ? said : `Forwarded from ${from}:\n${said}`
  // Code and quotations begin on a new line.
  return /^(?:```|>)/.test(whole) ? `\n${whole}` : whole
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

function attachedIn(message: Members): string {
  const { file, photo, media_type: media, file_name: named, sticker_emoji: emoji } = message
  if (media === 'sticker') return textOf(emoji)
  if (textOf(photo) === '' && textOf(file) === '') return ''
  const path = textOf(file)
  // A path in brackets is the reason why the file is missing.
  const name = textOf(named) || (path.startsWith('(') ? '' : (path.split('/').at(-1) ?? ''))
  const kind = textOf(photo) === '' ? textOf(media).replaceAll('_', ' ') : 'photo'
  return `Attached: ${name || kind || 'file'}`.slice(0, 300)
}

/** A question and its answers, or a list of tasks. */
function answersOf(label: string, question: unknown, answers: unknown, most: number): string[] {
  const lines = objectsOf(answers)
    .slice(0, most)
    .map(({ text, voters }) => `- ${written(text)}${label && `: ${Number(voters) || 0}`}`)
  return written(question) === '' && lines.length === 0 ? [] : [`${label}${written(question)}`, ...lines]
}

function placeIn(message: Members): string[] {
  const { latitude, longitude } = membersOf(message.location_information)
  const { first_name, last_name, phone_number } = membersOf(message.contact_information)
  const isKnown = typeof latitude === 'number' && typeof longitude === 'number'
  const place = [message.place_name, message.address, isKnown ? `${latitude}, ${longitude}` : '']
  const contact = joined([first_name, last_name, phone_number].map(textOf), ' ')
  return [labelled('Place', place.map(textOf)), labelled('Contact', [contact])]
}
