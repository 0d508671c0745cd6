import type { Parsed } from '../../graph/index.js'
import type { Format, SourceFile } from '../shared/format.js'
import { inBatches, readLines } from '../shared/lines.js'
import { ChatLog } from './chat-log.js'

/** A chat of Signal, as `signal-export` writes it: `chat.md` in a folder that is named after whom the chat is with. */
export const signal: Format = {
  id: 'signal',
  title: 'Signal chat (signal-export)',
  extensions: ['md'],
  isRewritten: true,
  mayBeLegacy: true,
  begins: /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] [^\n:]{1,200}: /,
  async *parse(bytes, file) {
    const chat = new SignalChat(file)
    for await (const lines of readLines(bytes)) {
      const parsed: Parsed[] = []
      for (const line of lines) parsed.push(...('problem' in line ? [line] : chat.read(line.line, line.text)))
      yield* inBatches(parsed)
    }
    yield* inBatches([...chat.end()])
  },
}

const START = /^\[(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\] ([^:]{1,200}): ?(.*)$/s
/** What the program calls the person who made the export, and whom it does not know. */
const NO_NAMES = new Set(['Me', 'No-Sender'])
const DELETED = '(This message was deleted)'
const NOT_EXPORTED = /\((?:media|attachment) not exported\)/g
const REACTIONS = /^\(- (.{1,2000}) -\)$/
const STICKER = /^\(\( (.{1,100}) \)\)$/
const STICKER_FILE = /\[([^[\]]{0,100})\]\(\.\.\/exported_stickers\/[^()\s]{1,300}\)/g
const ATTACHED = /!?\[([^[\]]{0,300})\]\(\.\/media\/[^()\s]{1,300}\)/g
/** Characters of one message. */
const LONGEST = 20_000

interface Written {
  line: number
  time: number | undefined
  who: string
  text: string
}

class SignalChat {
  readonly #file: SourceFile | undefined
  #last: Written | null = null
  #log: ChatLog | null = null

  constructor(file: SourceFile | undefined) {
    this.#file = file
  }

  *read(line: number, text: string): Generator<Parsed> {
    const [, day, clock, who = '', rest = ''] = START.exec(text) ?? []
    if (day === undefined) {
      if (this.#last && this.#last.text.length < LONGEST) this.#last.text += `\n${text}`
      return
    }
    yield* this.#finish()
    const time = Date.parse(`${day}T${clock}Z`)
    this.#last = { line, time: Number.isNaN(time) ? undefined : time, who: who.trim(), text: rest }
  }

  *end(): Generator<Parsed> {
    yield* this.#finish()
    yield* this.#log?.end(1) ?? []
    if (!this.#log) yield { line: 1, problem: 'This chat has no messages of Signal.' }
  }

  *#finish(): Generator<Parsed> {
    const last = this.#last
    this.#last = null
    const text = last ? textOf(last.text) : ''
    if (!last || text === '') return
    const { line, time, who } = last
    const log = this.#log ?? (yield* this.#begin(last))
    const person = NO_NAMES.has(who) ? undefined : who
    yield* log.add(line, { who: who === 'No-Sender' ? 'Somebody' : who, person, text, time })
  }

  *#begin({ line, who, time }: Written): Generator<Parsed, ChatLog> {
    const folder = this.#file?.path.split('/').at(-2)
    const name = `Signal: ${folder ?? who}`.slice(0, 200)
    const thing = { id: name, name, type: 'Signal chat' }
    this.#log = yield* ChatLog.open(thing, this.#file?.document, line, time)
    return this.#log
  }
}

/** A message without what stands for files, and with its reactions in words. */
function textOf(message: string): string {
  if (message.trim() === DELETED) return ''
  const names: string[] = []
  const text = message
    .replace(NOT_EXPORTED, '')
    .replace(STICKER_FILE, '$1')
    .replace(ATTACHED, (_, name: string) => {
      if (name !== '') names.push(name)
      return ''
    })
  const lines = text.split('\n').map(line => {
    const shown = line.trimEnd()
    return shown.replace(REACTIONS, 'Reactions: $1').replace(STICKER, '$1')
  })
  const attached = names.length > 0 ? [`Attached: ${names.join(', ')}`] : []
  const body = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const said = [body, ...attached].filter(Boolean).join('\n')
  // A quotation begins a line.
  return said.startsWith('>') ? `\n${said}` : said
}
