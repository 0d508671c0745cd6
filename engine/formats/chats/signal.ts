import type { Parsed } from '../../graph/index.js'
import { isoTime, joined, labelled } from '../shared/conversation.js'
import type { Format, SourceFile } from '../shared/format.js'
import { readLines, readParts } from '../shared/lines.js'
import { ChatLog, type ChatMessage } from './conversation-records.js'

/** A Signal chat from `signal-export`: `chat.md` in a folder named after the other person or group. */
export const signal: Format = {
  id: 'signal',
  title: 'Signal chat (signal-export)',
  extensions: ['md'],
  isRewritten: true,
  mayBeLegacy: true,
  begins: /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] [^\n:]{1,200}: /,
  parse: (bytes, file) => readParts(readLines(bytes), new SignalChat(file)),
}

const START = /^\[(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\] ([^:]{1,200}): ?(.*)$/s
/** The program's names for the owner of the export and for unknown senders. */
const [OWNER, NOBODY] = ['Me', 'No-Sender']
const DELETED = '(This message was deleted)'
const NOT_EXPORTED = /\((?:media|attachment) not exported\)/g
const REACTIONS = /^\(- (.{1,2000}) -\)$/
const STICKER = /^\(\( (.{1,100}) \)\)$/
const STICKER_FILE = /\[([^[\]]{0,100})\]\(\.\.\/exported_stickers\/[^()\s]{1,300}\)/g
const ATTACHED = /!?\[([^[\]]{0,300})\]\(\.\/media\/[^()\s]{1,300}\)/g
/** Maximum characters of one message. */
const MAX_LENGTH = 20_000

class SignalChat {
  #last: (ChatMessage & { line: number }) | null = null
  readonly #log: ChatLog

  constructor(file: SourceFile | undefined) {
    this.#log = new ChatLog(file?.document, () => {
      const name = `Signal: ${file?.path.split('/').at(-2) ?? this.#last?.who ?? ''}`
      return { id: name, name, type: 'Signal chat' }
    })
  }

  *read({ line, text }: { line: number; text: string }): Generator<Parsed> {
    const [, day, clock, who = '', rest = ''] = START.exec(text) ?? []
    if (day === undefined) {
      if (this.#last && this.#last.text.length < MAX_LENGTH) this.#last.text += `\n${text}`
      return
    }
    yield* this.#finish()
    this.#last = { line, time: isoTime(`${day}T${clock}Z`), who: who.trim(), text: rest }
  }

  *end(): Generator<Parsed> {
    yield* this.#finish()
    yield* this.#log.end(1)
    if (this.#log.isEmpty) yield { line: 1, problem: 'This chat has no messages of Signal.' }
  }

  *#finish(): Generator<Parsed> {
    const last = this.#last
    const text = last ? textIn(last.text) : ''
    if (last && text !== '') {
      const { line, who, time } = last
      const person = who === OWNER || who === NOBODY ? undefined : who
      yield* this.#log.add(line, { who: who === NOBODY ? '' : who, person, text, time })
    }
    this.#last = null
  }
}

/** A message without file placeholders, with reactions as text. */
function textIn(message: string): string {
  if (message.trim() === DELETED) return ''
  const names: string[] = []
  const text = message
    .replace(NOT_EXPORTED, '')
    .replace(STICKER_FILE, '$1')
    .replace(ATTACHED, (_, name: string) => {
      names.push(name)
      return ''
    })
  const lines = text
    .split('\n')
    .map(line => line.trimEnd().replace(REACTIONS, 'Reactions: $1').replace(STICKER, '$1'))
  const body = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const said = joined([body, labelled('Attached', names)])
  // Quotations begin on a new line.
  return said.startsWith('>') ? `\n${said}` : said
}
