import type { Parsed } from '../../graph/index.js'
import type { SourceFile } from '../shared/format.js'
import { readLines, readParts } from '../shared/lines.js'
import { ChatLog, type ChatMessage } from './conversation-records.js'

/** A message as written, with the line it begins on. */
type Written = { line: number; text: string }

/** A program's way to write a chat as text. */
export interface TextChat<Message extends Written> {
  program: string
  /** The message that begins with a line; null for a line of the program; undefined if it continues the message above. */
  begin(line: number, text: string): Message | null | undefined
  /** The name of the chat, from its first messages. */
  name(messages: readonly Message[]): string
  /** The messages as they are shown, from all those held; null for those that are left out. */
  shown(messages: readonly Message[]): (message: Message) => ChatMessage | null
  /** Messages that are held before the first one is shown. */
  held: number
}

/** Maximum characters of one message. */
const MAX_LENGTH = 20_000

/** Reads a chat that a program has exported as text, message by message. */
export function readTextChat<Message extends Written>(
  bytes: AsyncIterable<Uint8Array>,
  file: SourceFile | undefined,
  { program, begin, name, shown, held }: TextChat<Message>,
): AsyncGenerator<Parsed[]> {
  const waiting: Message[] = []
  let last: Message | null = null
  let show: ((message: Message) => ChatMessage | null) | null = null
  const log = new ChatLog(file?.document, () => {
    const shownName = `${program}: ${name(waiting)}`
    return { id: shownName, name: shownName, type: `${program} chat` }
  })
  function* add(message: Message): Generator<Parsed> {
    const said = show?.(message)
    if (said && said.text !== '') yield* log.say(message.line, said)
  }
  function* finish(isEnd: boolean): Generator<Parsed> {
    if (last && show) yield* add(last)
    else if (last) waiting.push(last)
    last = null
    if (show || (!isEnd && waiting.length < held)) return
    show = shown(waiting)
    for (const message of waiting) yield* add(message)
  }
  return readParts(readLines(bytes), {
    *read({ line, text }) {
      const message = begin(line, text)
      if (message === undefined) {
        if (last && last.text.length < MAX_LENGTH) last.text += `\n${text}`
        return
      }
      yield* finish(false)
      last = message
    },
    *end() {
      yield* finish(true)
      yield* log.end(1)
      if (log.isEmpty) yield { line: 1, problem: `This chat has no messages of ${program}.` }
    },
  })
}
