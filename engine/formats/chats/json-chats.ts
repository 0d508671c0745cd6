import { isUtf8 } from 'node:buffer'
import type { Parsed } from '../../graph/index.js'
import { PartTitles } from '../archives/archive-notes.js'
import { flat } from '../shared/flat.js'
import type { Format } from '../shared/format.js'
import { type Members, membersOf, objectsOf, parsedMembers, textOf } from '../shared/json.js'
import { readParts } from '../shared/lines.js'
import { isoTime, joined, labelled, shortened } from '../shared/values.js'
import { jsonLists } from '../tables/json-parts.js'
import { ChatLog, type ChatMessage } from './conversation-records.js'

/** A program's JSON format for chats. */
export interface Dialect {
  program: string
  /** The name of a chat, from the members before its messages and its path, and its id if the file contains several. */
  chat(members: ReadonlyMap<string, string>, path: string): { name: string; id?: string | undefined }
  /** A message with its id and the id of the message it answers. Null for anything else. */
  message(message: Members): (ChatMessage & { id?: unknown; answered?: unknown }) | null
}

const DISCORD: Dialect = {
  program: 'Discord',
  chat: members => ({
    name: joined([members.get('guild name') ?? '', `#${members.get('channel name') ?? 'channel'}`], ' '),
  }),
  message({ id, type, author, timestamp, content, attachments, embeds, stickers, reactions, reference }) {
    if (!/^(?:Default|Reply|0|19|)$/.test(String(type ?? ''))) return null
    const { id: person, name, nickname } = membersOf(author)
    const shown = objectsOf(embeds).flatMap(({ title, url, description }) => [title, url, description])
    const said = [content, ...shown].map(textOf)
    const files = [attachments, stickers].flatMap(objectsOf)
    const names = files.map(({ fileName, name }) => textOf(fileName) || textOf(name))
    const emojis = objectsOf(reactions).map(
      ({ emoji, count }) => `${textOf(membersOf(emoji).name)} ${Number(count) || 1}`,
    )
    return {
      id,
      answered: membersOf(reference).messageId,
      person: textOf(person),
      who: textOf(nickname) || textOf(name),
      text: joined([...said, labelled('Attached', names), labelled('Reactions', emojis)]),
      time: isoTime(timestamp),
    }
  },
}

const META: Dialect = {
  program: 'Messenger',
  chat(members, path) {
    const folder = path.split('/').at(-2) ?? 'chat'
    const title = members.get('threadName')?.replace(/_\d{1,20}$/, '')
    return { name: title ?? folder.replace(/_\w{8,20}$/, '') }
  },
  message(message) {
    // End-to-end encrypted chats use other member names.
    const { sender_name, senderName = sender_name, content, text = content, share } = message
    const { timestamp_ms, timestamp: time = timestamp_ms, is_unsent, isUnsent = is_unsent } = message
    if (isUnsent === true) return null
    const { link, share_text: quoted } = membersOf(share)
    const files = ['photos', 'videos', 'files', 'audio_files', 'gifs', 'media']
      .flatMap(kind => objectsOf(message[kind]))
      .map(({ uri }) => textOf(uri).split('/').at(-1) ?? '')
    const emojis = objectsOf(message.reactions).map(({ reaction }) => asMeant(textOf(reaction)))
    const said = new Set([asMeant(textOf(text)), asMeant(textOf(quoted)), textOf(link)])
    const who = asMeant(textOf(senderName))
    return {
      person: who,
      who,
      text: joined([...said, labelled('Attached', files), labelled('Reactions', emojis)]),
      time: typeof time === 'number' && time > 0 ? time : undefined,
    }
  },
}

/** Meta writes each UTF-8 byte as a character, except in end-to-end encrypted chats. */
function asMeant(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  return !/[^\0-\xff]/.test(text) && isUtf8(bytes) ? bytes.toString('utf8') : text
}

/** A format for chats as JSON of one program. */
export const jsonChat = (id: string, title: string, begins: RegExp, dialect: Dialect): Format => ({
  id,
  title,
  extensions: ['json'],
  isRewritten: true,
  begins,
  parse: parserOf(dialect),
})

/** A channel saved as JSON by DiscordChatExporter. */
export const discord = jsonChat(
  'discord',
  'Discord chat (DiscordChatExporter, JSON)',
  /^\{\s{0,20}"guild"\s{0,5}:\s{0,5}\{/,
  DISCORD,
)

/** A chat exported from Messenger or Instagram (`message_1.json`). */
export const messenger = jsonChat(
  'messenger',
  'Messenger or Instagram chat (Meta export, JSON)',
  /^\{\s{0,20}"participants"\s{0,5}:\s{0,5}\[/,
  META,
)

/** Maximum messages stored for quoting in answers, and characters shown of each. */
const MAX_REMEMBERED = 5_000
const MAX_SHOWN_LENGTH = 80

/** Reads chats message by message. */
function parserOf({ program, chat, message: messageOf }: Dialect): Format['parse'] {
  return (bytes, file) => {
    const titles = new PartTitles()
    let log: ChatLog | null = null
    /** Messages by id, oldest first, and the id of the last one. */
    let said = new Map<string, Pick<ChatMessage, 'who' | 'text'>>()
    let above = ''
    function* begin(members: ReadonlyMap<string, string>): Generator<Parsed> {
      yield* log?.end(1) ?? []
      const { name: title, id } = chat(members, file?.path ?? '')
      const name = `${program}: ${titles.next(title)}`.slice(0, 200)
      const type = `${program} chat`
      const own = id === undefined ? { id: name } : { id: `${type} ${id}`, path: name }
      log = new ChatLog(file?.document, () => ({ ...own, name, type }))
      said = new Map()
      above = ''
    }
    return readParts(jsonLists(bytes, /^messages$/), {
      *read(part) {
        if ('members' in part) return yield* begin(part.members)
        const { line } = part
        const value = parsedMembers(part.text)
        if (!value) return yield { line, problem: 'This message is not JSON.' }
        const message = messageOf(value)
        if (!message || message.text === '' || !log) return
        const [id, answered] = [idOf(message.id), idOf(message.answered)]
        const person = message.person && `${program} ${message.person}`
        const who = message.who.trim() || 'Somebody'
        // Quotes the message that this one answers, unless it is directly above.
        const other = answered === above ? undefined : said.get(answered)
        const quoted = other ? `(to ${other.who}: “${shortened(flat(other.text), MAX_SHOWN_LENGTH)}”) ` : ''
        yield* log.say(line, { who, person, text: quoted + message.text, time: message.time })
        above = id
        if (id !== '') said.set(id, { who, text: message.text.slice(0, 2 * MAX_SHOWN_LENGTH) })
        const [oldest] = said.keys()
        if (said.size > MAX_REMEMBERED && oldest !== undefined) said.delete(oldest)
      },
      *end() {
        yield* log?.end(1) ?? []
        if (!log)
          yield { line: 1, problem: `This is not an export of ${program}: it has no list of messages.` }
      },
      endsDocument: part => 'members' in part,
    })
  }
}

const idOf = (id: unknown) =>
  typeof id === 'number' || typeof id === 'string' ? String(id).slice(0, 40) : ''
