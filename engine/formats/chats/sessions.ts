import type { Parsed } from '../../graph/index.js'
import { baseName } from '../shared/file-name.js'
import { flat } from '../shared/flat.js'
import { type Format, type SourceFile, UnreadableFile } from '../shared/format.js'
import { type Members, parsedMembers } from '../shared/json.js'
import { inBatches, readLines } from '../shared/lines.js'
import { ConversationRecords } from './conversation-records.js'
import { withoutSecrets } from './secrets.js'
import { type SessionEvent, type SessionFacts, sessionLine } from './session-lines.js'

/**
 * Sessions of coding agents: Claude Code, Codex, Gemini CLI. Each is a conversation, tagged with its project. Tool use
 * is summarized, and secrets are removed.
 */
export const sessions: Format = {
  id: 'sessions',
  title: 'Sessions of coding agents (Claude Code, Codex, Gemini CLI)',
  extensions: ['jsonl', 'json'],
  isRewritten: true,
  begins: new RegExp(
    [
      // Claude Code
      String.raw`^\{[\s\S]{0,900}"(?:sessionId|leafUuid|isSidechain)"\s{0,3}:`,
      // Codex
      String.raw`^\{"timestamp":"[^"]{10,40}","type":"(?:session_meta|response_item|event_msg|turn_context)"`,
      String.raw`^\{"id":"[0-9a-f-]{36}","timestamp":"[^"]{10,40}","instructions":`,
    ].join('|'),
  ),
  /** Reads a session line by line. Consecutive answers are joined, so that tool use is shown with the text about it. */
  async *parse(bytes, file) {
    const session = new Session(file)
    /** The lines of one JSON object over several lines, as written by Gemini CLI. */
    const whole: string[] = []
    let length = 0
    for await (const lines of readLines(bytes)) {
      const parsed: Parsed[] = []
      for (const line of lines) {
        // Lines that are too long contain tool output or a picture.
        if ('problem' in line || line.text.trim() === '') continue
        const value = whole.length > 0 ? undefined : parsedMembers(line.text)
        length += line.text.length
        if (value) parsed.push(...session.read(line.line, value))
        // Later, an incomplete line was written when the agent was killed.
        else if (!session.facts && length <= MAX_WHOLE_LENGTH) whole.push(line.text)
      }
      yield* inBatches(parsed)
    }
    const value = parsedMembers(whole.join('\n'))
    if (value) yield* inBatches([...session.read(1, value)])
    yield* inBatches([...session.end()])
    if (!session.facts) throw new UnreadableFile('This is not a session of a coding agent.')
  },
}

/** Maximum characters of a message; the rest is left out. Consecutive messages of the agent are joined up to the second limit. */
const MAX_LENGTH = 100_000
const ENOUGH = 4_000
const MAX_TITLE_LENGTH = 100
/** Maximum characters of a session in one JSON object. */
const MAX_WHOLE_LENGTH = 8_388_608

/** The messages of a session. */
class Session {
  /** Null until its first line. */
  facts: SessionFacts | null = null
  readonly #records: ConversationRecords
  #answer: (SessionEvent & { line: number }) | null = null

  constructor(file: SourceFile | undefined) {
    const path = file?.path ?? 'session.jsonl'
    this.#records = new ConversationRecords(file?.document, text => {
      const { id = '', folder = '', title = '', time } = this.facts ?? {}
      const [first = ''] = text.split('\n', 1)
      const name = flat(withoutSecrets(title || first)).slice(0, MAX_TITLE_LENGTH) || baseName(path)
      const thing = { id: `${this.#agent} ${id || baseName(path)}`, type: `${this.#agent} session` }
      return { ...thing, name, title: name, project: projectOf(folder, path), time }
    })
  }

  get #agent(): string {
    return this.facts?.agent ?? 'Codex'
  }

  *read(line: number, value: Members): Generator<Parsed> {
    const found = sessionLine(value, this.facts?.agent)
    if (!found) return
    this.facts ??= {}
    // The first value of each fact counts.
    for (const [fact, value] of Object.entries(found.facts ?? {}))
      if (value !== '' && value !== undefined && !(fact in this.facts))
        Object.assign(this.facts, { [fact]: value })
    for (const event of found.events ?? []) yield* this.#take(line, event)
  }

  /** Writes the pending answer. */
  *end(): Generator<Parsed> {
    const answer = this.#answer
    this.#answer = null
    if (answer) yield* this.#add(answer)
  }

  *#take(line: number, event: SessionEvent): Generator<Parsed> {
    const text = withoutSecrets(event.text.slice(0, MAX_LENGTH).replaceAll('\0', ''))
    const answer = event.who === 'agent' ? this.#answer : null
    if (answer && answer.text.length + text.length <= ENOUGH) {
      const isList = text.startsWith('- ') && /(?:^|\n)- [^\n]{0,300}$/.test(answer.text.slice(-400))
      answer.text += `${isList ? '\n' : '\n\n'}${text}`
      return
    }
    yield* this.end()
    const said = { ...event, text, line }
    if (event.who === 'agent') this.#answer = said
    else yield* this.#add(said)
  }

  #add({ line, who, text, time }: SessionEvent & { line: number }): Generator<Parsed> {
    const heading = who === 'user' ? `You asked ${this.#agent}` : `${this.#agent} answered`
    return this.#records.add(line, { heading, text, time })
  }
}

/** The last part of the folder; for Gemini CLI, the folder of its chats unless its name is a hash. */
function projectOf(folder: string, path: string): string {
  const name = folder.split(/[/\\]/).filter(Boolean).at(-1) ?? ''
  if (name !== '') return name.slice(0, 100)
  const [project = '', chats] = path.split('/').slice(-3)
  if (chats !== 'chats') return ''
  return /^[0-9a-f]{40,64}$/.test(project) ? '' : project.slice(0, 100)
}
