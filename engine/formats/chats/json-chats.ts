import type { Parsed } from '../../graph/index.js'
import { listOf, membersOf, parsedMembers, textOf } from '../shared/conversation.js'
import type { Format, SourceFile } from '../shared/format.js'
import { inBatches } from '../shared/lines.js'
import { jsonLists } from '../tables/json-lists.js'
import { timeOf } from './agent-session.js'
import { ChatLog } from './chat-log.js'

type Members = Record<string, unknown>

/** How a program writes its chats as JSON. */
interface Dialect {
  program: string
  /** How the chat is called, by what the file says before its messages and by its path. */
  name(members: ReadonlyMap<string, string>, path: string): string
  /** Null for what nobody has said. */
  message(message: Members): { person: string; who: string; text: string; time: number | undefined } | null
}

const DISCORD: Dialect = {
  program: 'Discord',
  name: members =>
    [members.get('guild name'), `#${members.get('channel name') ?? 'channel'}`].filter(Boolean).join(' '),
  message({ type, author, timestamp, content, attachments, embeds, stickers, reactions }) {
    if (!/^(?:Default|Reply|0|19|)$/.test(String(type ?? ''))) return null
    const { id, name, nickname } = membersOf(author)
    const shown = listOf(embeds)
      .map(membersOf)
      .map(({ title, url, description }) =>
        [textOf(title), textOf(url), textOf(description)].filter(Boolean).join('\n'),
      )
    const files = [...listOf(attachments), ...listOf(stickers)]
      .map(membersOf)
      .map(({ fileName, name }) => textOf(fileName) || textOf(name))
    const emojis = listOf(reactions)
      .map(membersOf)
      .map(({ emoji, count }) => `${textOf(membersOf(emoji).name)} ${Number(count) || 1}`)
    const text = [textOf(content), ...shown, labelled('Attached', files), labelled('Reactions', emojis)]
    return {
      person: textOf(id),
      who: textOf(nickname) || textOf(name),
      text: joined(text),
      time: timeOf(timestamp),
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
      .flatMap(kind => listOf(message[kind]))
      .map(file => textOf(membersOf(file).uri).split('/').at(-1) ?? '')
    const emojis = listOf(message.reactions).map(each => asMeant(textOf(membersOf(each).reaction)))
    const said = [asMeant(textOf(content)), asMeant(textOf(quoted)), textOf(link)]
    const text = [...new Set(said), labelled('Attached', files), labelled('Reactions', emojis)]
    const who = asMeant(textOf(sender))
    return {
      person: who,
      who,
      text: joined(text),
      time: typeof time === 'number' && time > 0 ? time : undefined,
    }
  },
}

const labelled = (label: string, values: readonly string[]) => {
  const known = values.filter(value => value.trim() !== '')
  return known.length === 0 ? '' : `${label}: ${known.join(', ')}`
}

const joined = (lines: readonly string[]) => lines.filter(line => line.trim() !== '').join('\n')

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
  async *parse(bytes, file) {
    const chat = new JsonChat(dialect, file)
    for await (const parts of jsonLists(bytes, /^messages$/)) {
      const parsed: Parsed[] = []
      for (const part of parts)
        if ('members' in part) chat.name = dialect.name(part.members, file?.path ?? '')
        else parsed.push(...('problem' in part ? [part] : chat.read(part.line, part.text)))
      // Even when empty, so that the caller can yield to other work.
      yield* inBatches(parsed)
    }
    yield* inBatches([...chat.end()])
  },
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
  name = 'chat'
  readonly #dialect: Dialect
  readonly #file: SourceFile | undefined
  #log: ChatLog | null = null

  constructor(dialect: Dialect, file: SourceFile | undefined) {
    this.#dialect = dialect
    this.#file = file
  }

  *read(line: number, text: string): Generator<Parsed> {
    const value = parsedMembers(text)
    if (!value) return yield { line, problem: 'This message is not JSON.' }
    const message = this.#dialect.message(value)
    if (!message || message.text === '') return
    const { person, text: said, time } = message
    const who = message.who.trim().slice(0, 200) || 'Somebody'
    const log = this.#log ?? (yield* this.#open(line, time))
    const id = person === '' ? undefined : `${this.#dialect.program} ${person}`.slice(0, 200)
    yield* log.add(line, { who, person: id, text: said, time })
  }

  *end(): Generator<Parsed> {
    yield* this.#log?.end(1) ?? []
    if (!this.#log) yield { line: 1, problem: `This chat has no messages of ${this.#dialect.program}.` }
  }

  *#open(line: number, time: number | undefined): Generator<Parsed, ChatLog> {
    const { program } = this.#dialect
    const name = `${program}: ${this.name}`.slice(0, 200)
    const thing = { id: name, name, type: `${program} chat` }
    this.#log = yield* ChatLog.open(thing, this.#file?.document, line, time)
    return this.#log
  }
}
