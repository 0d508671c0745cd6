import type { Format, SourceFile } from '../shared/format.js'
import { isoTime, joined, labelled } from '../shared/values.js'
import type { ChatMessage } from './conversation-records.js'
import { readTextChat, type TextChat } from './text-chats.js'

/** A Signal chat from `signal-export`: `chat.md` in a folder named after the other person or group. */
export const signal: Format = {
  id: 'signal',
  title: 'Signal chat (signal-export)',
  extensions: ['md'],
  isRewritten: true,
  mayBeLegacy: true,
  begins: /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] [^\n:]{1,200}: /,
  parse: (bytes, file) => readTextChat(bytes, file, chatIn(file)),
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

const chatIn = (file: SourceFile | undefined): TextChat<ChatMessage & { line: number }> => ({
  program: 'Signal',
  begin(line, text) {
    const [, day, clock, who = '', rest = ''] = START.exec(text) ?? []
    if (day === undefined) return undefined
    return { line, time: isoTime(`${day}T${clock}Z`), who: who.trim(), text: rest }
  },
  name: ([first]) => file?.path.split('/').at(-2) ?? first?.who ?? '',
  held: 1,
  shown: () => message => {
    const { who, text, time } = message
    const person = who === OWNER || who === NOBODY ? undefined : who
    return { who: who === NOBODY ? '' : who, person, text: textIn(text), time }
  },
})

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
