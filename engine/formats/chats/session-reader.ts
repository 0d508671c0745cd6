import type { Parsed } from '../../graph/index.js'
import { listOf, membersOf, parsedMembers, textOf } from '../shared/conversation.js'
import { baseName } from '../shared/file-name.js'
import { flat } from '../shared/flat.js'
import { type SourceFile, UnreadableFile } from '../shared/format.js'
import { inBatches, type Line, readLines } from '../shared/lines.js'
import type { SessionEvent, SessionFacts, SessionLine } from './agent-session.js'
import { ConversationRecords } from './conversation-records.js'
import { withoutSecrets } from './secrets.js'
import { claudeCodeLine, codexLine, geminiEvent, geminiFacts } from './session-lines.js'

/** Maximum characters of a message; the rest is left out. Consecutive messages of the agent are joined up to the second limit. */
const MAX_LENGTH = 100_000
const ENOUGH = 4_000
const MAX_TITLE_LENGTH = 100
/** Maximum characters of a session in one JSON object. */
const MAX_WHOLE_LENGTH = 8_388_608

/** Reads a session line by line. Consecutive answers are joined, so that tool use is shown with the text about it. */
export class SessionReader {
  readonly #file: SourceFile | undefined
  #facts: SessionFacts | null = null
  #records: ConversationRecords | null = null
  #answer: SessionEvent | null = null
  #answerLine = 1
  #isSession = false
  /** The lines of one JSON object over several lines, as written by Gemini CLI. */
  #whole: string[] = []
  #wholeLength = 0

  constructor(file: SourceFile | undefined) {
    this.#file = file
  }

  async *read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Parsed[]> {
    for await (const lines of readLines(bytes)) {
      const parsed = lines.flatMap(line => [...this.#readLine(line)])
      yield* inBatches(parsed)
    }
    yield* inBatches([...this.#end()])
    if (!this.#isSession) throw new UnreadableFile('This is not a session of a coding agent.')
  }

  *#readLine(line: Line): Generator<Parsed> {
    // Lines that are too long contain tool output or a picture.
    if ('problem' in line || line.text.trim() === '') return
    const value = this.#whole.length > 0 ? undefined : parsedMembers(line.text)
    if (value === undefined) {
      // An incomplete line, written when the agent was killed.
      if (this.#isSession) return
      this.#wholeLength += line.text.length
      if (this.#wholeLength <= MAX_WHOLE_LENGTH) this.#whole.push(line.text)
    } else yield* this.#readValue(line.line, value)
  }

  *#readValue(line: number, value: Record<string, unknown>): Generator<Parsed> {
    if (Array.isArray(value.messages) && textOf(value.sessionId) !== '') {
      yield* this.#take(line, { facts: geminiFacts(value), events: [] })
      for (const message of listOf(value.messages)) yield* this.#addGemini(line, membersOf(message))
      return
    }
    if ('projectHash' in value) return yield* this.#take(line, { facts: geminiFacts(value), events: [] })
    if (this.#facts?.agent === 'Gemini CLI') return yield* this.#addGemini(line, value)
    const found = codexLine(value) ?? claudeCodeLine(value)
    if (found) yield* this.#take(line, found)
  }

  *#addGemini(line: number, message: Record<string, unknown>): Generator<Parsed> {
    const event = geminiEvent(message)
    if (event && this.#facts) yield* this.#take(line, { events: [event] })
  }

  *#take(line: number, { facts, events }: SessionLine): Generator<Parsed> {
    this.#isSession = true
    if (facts) this.#facts = merged(this.#facts, facts)
    for (const event of events) {
      const said = { ...event, text: withoutSecrets(event.text.slice(0, MAX_LENGTH).replaceAll('\0', '')) }
      if (said.who === 'user') {
        yield* this.#answered()
        yield* this.#add(line, said)
      } else yield* this.#keepAnswer(line, said)
    }
  }

  *#keepAnswer(line: number, said: SessionEvent): Generator<Parsed> {
    if (this.#answer && this.#answer.text.length + said.text.length <= ENOUGH) {
      const isList =
        said.text.startsWith('- ') && /(?:^|\n)- [^\n]{0,300}$/.test(this.#answer.text.slice(-400))
      this.#answer.text += `${isList ? '\n' : '\n\n'}${said.text}`
      return
    }
    yield* this.#answered()
    this.#answer = said
    this.#answerLine = line
  }

  *#answered(): Generator<Parsed> {
    const answer = this.#answer
    this.#answer = null
    if (answer) yield* this.#add(this.#answerLine, answer)
  }

  *#add(line: number, { who, text, time }: SessionEvent): Generator<Parsed> {
    const agent = this.#facts?.agent ?? 'Codex'
    if (!this.#records) yield* this.#begin(line, text, time)
    const heading = who === 'user' ? `You asked ${agent}` : `${agent} answered`
    if (this.#records) yield* this.#records.add(line, { heading, text, time })
  }

  *#begin(line: number, text: string, time: number | undefined): Generator<Parsed> {
    const { agent = 'Codex', id = '', folder = '', title = '', time: begun } = this.#facts ?? {}
    const path = this.#file?.path ?? 'session.jsonl'
    const [first = ''] = text.split('\n', 1)
    const name = flat(withoutSecrets(title || first)).slice(0, MAX_TITLE_LENGTH) || baseName(path)
    const thing = { id: `${agent} ${id || baseName(path)}`, name, title: name, type: `${agent} session` }
    this.#records = new ConversationRecords(thing, this.#file?.document)
    yield this.#records.begin(line, time ?? begun)
    const project = projectOf(folder, path)
    if (project === '') return
    yield this.#records.relate(line, 'tagged', project)
    yield this.#records.relate(line, 'in project', project)
  }

  *#end(): Generator<Parsed> {
    const whole = this.#whole.length > 0 ? parsedMembers(this.#whole.join('\n')) : undefined
    this.#whole = []
    if (whole) yield* this.#readValue(1, whole)
    yield* this.#answered()
  }
}

/** Adds facts that are still unknown. */
function merged(known: SessionFacts | null, facts: SessionFacts): SessionFacts {
  const found = Object.entries(facts).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(found), ...(known ?? {}) } as SessionFacts
}

/** The last part of the folder; for Gemini CLI, the folder of its chats unless its name is a hash. */
function projectOf(folder: string, path: string): string {
  const name = folder.split(/[/\\]/).filter(Boolean).at(-1) ?? ''
  if (name !== '') return name.slice(0, 100)
  const [project = '', chats] = path.split('/').slice(-3)
  if (chats !== 'chats') return ''
  return /^[0-9a-f]{40,64}$/.test(project) ? '' : project.slice(0, 100)
}
