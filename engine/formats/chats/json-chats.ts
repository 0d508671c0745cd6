import type { Parsed } from '../../graph/index.js'
import {
  isoTime,
  joined,
  labelled,
  membersOf,
  objectsOf,
  parsedMembers,
  textOf,
} from '../shared/conversation.js'
import type { Format, SourceFile } from '../shared/format.js'
import { readParts } from '../shared/lines.js'
import { jsonLists, type ListPart } from '../tables/json-lists.js'
import { ChatLog, type ChatMessage } from './conversation-records.js'

type Members = Record<string, unknown>

/** How a program writes its chats as JSON. */
interface Dialect {
  program: string
  /** How the chat is called, by what the file says before its messages and by its path. */
  name(members: ReadonlyMap<string, string>, path: string): string
  /** Null for what nobody has said. */
  message(message: Members): ChatMessage | null
}

const DISCORD: Dialect = {
  program: 'Discord',
  name: members =>
    [members.get('guild name'), `#${members.get('channel name') ?? 'channel'}`].filter(Boolean).join(' '),
  message({ type, author, timestamp, content, attachments, embeds, stickers, reactions }) {
    if (!/^(?:Default|Reply|0|19|)$/.test(String(type ?? ''))) return null
    const { id, name, nickname } = membersOf(author)
    const shown = objectsOf(embeds).map(({ title, url, description }) =>
      joined([title, url, description].map(textOf)),
    )
    const files = [...objectsOf(attachments), ...objectsOf(stickers)].map(
      ({ fileName, name }) => textOf(fileName) || textOf(name),
    )
    const emojis = objectsOf(reactions).map(
      ({ emoji, count }) => `${textOf(membersOf(emoji).name)} ${Number(count) || 1}`,
    )
    return {
      person: textOf(id),
      who: textOf(nickname) || textOf(name),
      text: joined([textOf(content), ...shown, labelled('Attached', files), labelled('Reactions', emojis)]),
      time: isoTime(timestamp),
    }
  },
}

const META: Dialect = {
  program: 'Messenger',
  name: (_, path) =>
    path
      .split('/')
      .at(-2)
      ?.replace(/_\w{8,20}$/, '') ?? 'chat',
  message(message) {
    const { sender_name: sender, timestamp_ms: time, content, share, is_unsent } = message
    if (is_unsent === true) return null
    const { link, share_text: quoted } = membersOf(share)
    const files = ['photos', 'videos', 'files', 'audio_files', 'gifs']
      .flatMap(kind => objectsOf(message[kind]))
      .map(({ uri }) => textOf(uri).split('/').at(-1) ?? '')
    const emojis = objectsOf(message.reactions).map(({ reaction }) => asMeant(textOf(reaction)))
    const said = new Set([asMeant(textOf(content)), asMeant(textOf(quoted)), textOf(link)])
    const who = asMeant(textOf(sender))
    return {
      person: who,
      who,
      text: joined([...said, labelled('Attached', files), labelled('Reactions', emojis)]),
      time: typeof time === 'number' && time > 0 ? time : undefined,
    }
  },
}

/** Meta writes each byte of UTF-8 as a character. */
function asMeant(text: string): string {
  if (!/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return text
  return Buffer.from(text, 'latin1').toString('utf8')
}

const formatOf = (id: string, title: string, begins: RegExp, dialect: Dialect): Format => ({
  id,
  title,
  extensions: ['json'],
  isRewritten: true,
  begins,
  parse: (bytes, file) => readParts(jsonLists(bytes, /^messages$/), new JsonChat(dialect, file)),
})

/** A channel that DiscordChatExporter has saved as JSON. */
export const discord = formatOf(
  'discord',
  'Discord chat (DiscordChatExporter, JSON)',
  /^\{\s{0,20}"guild"\s{0,5}:\s{0,5}\{/,
  DISCORD,
)

/** A chat of Messenger or Instagram, as Meta exports it (`message_1.json`). */
export const messenger = formatOf(
  'messenger',
  'Messenger or Instagram chat (Meta export, JSON)',
  /^\{\s{0,20}"participants"\s{0,5}:\s{0,5}\[/,
  META,
)

class JsonChat {
  #name = 'chat'
  readonly #dialect: Dialect
  readonly #path: string
  readonly #log: ChatLog

  constructor(dialect: Dialect, file: SourceFile | undefined) {
    const { program } = dialect
    this.#dialect = dialect
    this.#path = file?.path ?? ''
    this.#log = new ChatLog(file?.document, () => {
      const name = `${program}: ${this.#name}`
      return { id: name, name, type: `${program} chat` }
    })
  }

  *read(part: ListPart): Generator<Parsed> {
    if ('members' in part) {
      this.#name = this.#dialect.name(part.members, this.#path)
      return
    }
    const { line } = part
    const value = parsedMembers(part.text)
    if (!value) return yield { line, problem: 'This message is not JSON.' }
    const message = this.#dialect.message(value)
    if (!message || message.text === '') return
    const person = message.person && `${this.#dialect.program} ${message.person}`
    yield* this.#log.add(line, { ...message, person })
  }

  *end(): Generator<Parsed> {
    yield* this.#log.end(1)
    if (this.#log.isEmpty)
      yield { line: 1, problem: `This chat has no messages of ${this.#dialect.program}.` }
  }
}
