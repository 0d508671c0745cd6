import { words } from '../../../platform/common/words.js'
import { flat } from '../shared/flat.js'
import { type Members, membersOf, objectsOf, parsedMembers, textOf } from '../shared/json.js'
import { isoTime, joined, shortened } from '../shared/values.js'

/** A message in one line of a session. */
export interface SessionEvent {
  who: 'user' | 'agent'
  /** Markdown. */
  text: string
  /** Milliseconds since 1970. */
  time: number | undefined
}

/** Metadata of a session. Empty texts are unknown. */
export interface SessionFacts {
  agent?: 'Claude Code' | 'Codex' | 'Gemini CLI'
  id?: string
  /** The folder where it was started. */
  folder?: string
  title?: string
  /** The start time, in milliseconds since 1970. */
  time?: number | undefined
}

/** The contents of a line: facts, events, both or neither. */
interface SessionLine {
  facts?: SessionFacts
  events?: SessionEvent[]
}

/** The contents of a line of a session of this agent, if it is known; null for other lines. */
export function sessionLine(line: Members, agent: SessionFacts['agent']): SessionLine | null {
  if (Array.isArray(line.messages) && textOf(line.sessionId) !== '')
    return { facts: geminiFacts(line), events: objectsOf(line.messages).flatMap(geminiEvents) }
  if ('projectHash' in line) return { facts: geminiFacts(line) }
  if (agent === 'Gemini CLI') return { events: geminiEvents(line) }
  return codexLine(line) ?? claudeCodeLine(line)
}

/** The message with these texts, without additions of the program; empty if nothing is left. */
function said(who: SessionEvent['who'], texts: readonly string[], time: unknown): SessionEvent[] {
  const text = joined(texts.map(who === 'user' ? typed : each => each.trim()), '\n\n')
  return text === '' ? [] : [{ who, text, time: isoTime(time) }]
}

/** The texts of a string or of a list of parts, with tool use and without thoughts and tool output. */
const textsIn = (content: unknown): string[] =>
  (Array.isArray(content) ? content : [content]).map(part => {
    const { type, text, name, input } = membersOf(part)
    if (type === 'tool_use') return toolUse(name, membersOf(input))
    return /^(?:|(?:(?:in|out)put_)?text)$/.test(textOf(type)) ? textOf(text) || textOf(part) : ''
  })

/** A line of a Codex session (`~/.codex/sessions/…/rollout-*.jsonl`), including those before 2025-10, whose lines are plain items; null for other lines. */
function codexLine(line: Members): SessionLine | null {
  const { type, payload, timestamp } = line
  if (type === 'session_meta' || type === 'turn_context') return { facts: codexFacts(membersOf(payload)) }
  if (type === 'response_item') return itemOf(membersOf(payload), timestamp)
  if (type === 'event_msg' || type === 'compacted' || 'record_type' in line) return {}
  if ('instructions' in line && 'id' in line) return { facts: codexFacts(line) }
  return ITEMS.has(textOf(type)) ? itemOf(line, timestamp) : null
}

const ITEMS = words(`message reasoning function_call function_call_output custom_tool_call
  custom_tool_call_output local_shell_call web_search_call`)
const FOLDER =
  /<environment_context>\s{0,20}(?:<cwd>([^<>\n]{1,500})<\/cwd>|Current working directory: ([^\n]{1,500}))/

const codexFacts = ({ id, cwd, timestamp }: Members): SessionFacts => ({
  agent: 'Codex',
  id: textOf(id),
  folder: textOf(cwd),
  time: isoTime(timestamp),
})

const USES: Readonly<Record<string, (item: Members) => string>> = {
  function_call: item => toolUse(item.name, parsed(item.arguments)),
  custom_tool_call: item => toolUse(item.name, inputOf(textOf(item.input))),
  local_shell_call: item => toolUse('shell', membersOf(item.action)),
  web_search_call: item => toolUse('web search', membersOf(item.action)),
}

function itemOf(item: Members, time: unknown): SessionLine {
  const use = USES[textOf(item.type)]
  if (use) return { events: said('agent', [use(item)], time) }
  const texts = textsIn(item.content)
  if (item.type !== 'message' || (item.role !== 'assistant' && item.role !== 'user')) return {}
  if (item.role === 'assistant') return { events: said('agent', texts, time) }
  // Before 2025-10, only the first message contains the folder.
  const [, tagged, named] = FOLDER.exec(texts[0]?.slice(0, 2_000) ?? '') ?? []
  const facts = codexFacts({ cwd: (tagged ?? named ?? '').trim() })
  return { facts, events: said('user', texts, time) }
}

/** The input of a tool: JSON, a patch, or a program described by its first lines. */
function inputOf(text: string): Members {
  const members = parsed(text)
  if (Object.keys(members).length > 0) return members
  if (text.includes('*** Begin Patch')) return { input: text }
  return { command: text.split('\n').slice(0, 3).join(' ') }
}

const parsed = (text: unknown) => parsedMembers(textOf(text)) ?? {}

/** Metadata of a Gemini CLI session (`~/.gemini/tmp/…/chats/session-*.json`, or the first line of `.jsonl`). */
const geminiFacts = (session: Members): SessionFacts => ({
  agent: 'Gemini CLI',
  id: textOf(session.sessionId),
  title: textOf(session.summary),
})

/** A message of such a session, without notes of the program. */
function geminiEvents({ type, content, toolCalls, timestamp }: Members): SessionEvent[] {
  if (type !== 'user' && type !== 'gemini') return []
  const uses = objectsOf(toolCalls).map(({ name, displayName, args }) =>
    toolUse(displayName ?? name, membersOf(args)),
  )
  const texts = [joined(textsIn(content)), uses.join('\n')]
  return said(type === 'user' ? 'user' : 'agent', texts, timestamp)
}

/** A line of a Claude Code session (`~/.claude/projects/…/*.jsonl`); null for other lines. Messages of subagents are left out. */
function claudeCodeLine(line: Members): SessionLine | null {
  const { type, message, timestamp } = line
  const agent = 'Claude Code'
  const title = textOf(line.summary) || textOf(line.customTitle) || textOf(line.aiTitle)
  if (title !== '') return { facts: { agent, title } }
  if (textOf(line.sessionId) === '' && typeof line.uuid !== 'string') return null
  const isHidden = line.isMeta === true || line.isSidechain === true || line.isCompactSummary === true
  if (isHidden || (type !== 'user' && type !== 'assistant')) return {}
  const facts: SessionFacts = { agent, id: textOf(line.sessionId), folder: textOf(line.cwd) }
  return {
    facts,
    events: said(type === 'user' ? 'user' : 'agent', textsIn(membersOf(message).content), timestamp),
  }
}

/** Maximum characters of a line about the use of a tool. */
const MAX_USE_LENGTH = 200

/** Arguments that best describe the use of a tool, best first. */
const TELLING = [
  ...words(`description command cmd file_path pattern query path absolute_path dir_path url objective
    prompt explanation`),
]

/** `Bash: npm test`: the use of a tool, without its output. */
function toolUse(name: unknown, input: Members): string {
  const use = TELLING.map(key => input[key]).find(value => value !== undefined && value !== '')
  const command = Array.isArray(use) ? use.map(part => textOf(part)).join(' ') : textOf(use)
  const patched = filesPatched(command || textOf(input.input) || textOf(input.patch))
  const what = shortened(flat(patched || command.replace(SHELL, '')), MAX_USE_LENGTH)
  return `- ${textOf(name) || 'tool'}${what === '' ? '' : `: ${what.replaceAll('`', "'")}`}`
}

/** Shell prefixes of a command. */
const SHELL = /^(?:\/\S{1,40}\/)?(?:ba|z)?sh -l?c /
const PATCHED = /^\*\*\* (?:Update|Add|Delete) File: ([^\n]{1,300})$/gm
const MAX_PATCHED = 10

/** The files changed by a patch in Codex format; empty if it is not a patch. */
function filesPatched(text: string): string {
  if (!text.includes('*** Begin Patch')) return ''
  const files = [...new Set([...text.matchAll(PATCHED)].map(([, file = '']) => file.trim()))]
  return files.slice(0, MAX_PATCHED).join(', ')
}

/** Text that agents add to user messages. */
const ADDED = [
  ...words(`system-reminder local-command-stdout local-command-stderr local-command-caveat command-message
    command-contents bash-stdout bash-stderr task-notification ide_opened_file ide_selection
    environment_context user_instructions collaboration_mode INSTRUCTIONS session_context`),
  'permissions instructions',
]

/** Context that editors add to a request to Codex: open files, selections. */
const FROM_EDITOR = /^\s{0,20}# Context from my IDE setup:/
const REQUEST = '## My request for Codex:'
/** The prompt that `/init` expands to in Codex and Gemini CLI. */
const INIT =
  /^(?:You are an AI agent that brings the power of Gemini directly into the terminal\. Your task is to analyze the current directory|Generate a file named AGENTS\.md that serves as a contributor guide)/

const WRITTEN_BY_PROGRAM =
  /^(?:Caveat: The messages below|# AGENTS\.md instructions|\[Request interrupted|This session is being continued from)/

function requestIn(text: string): string {
  const at = FROM_EDITOR.test(text) ? text.lastIndexOf(REQUEST) : -1
  return at < 0 ? text : text.slice(at + REQUEST.length)
}

/** The text typed by the user, without additions of the program. */
function typed(text: string): string {
  let rest = text
  for (const name of ADDED) rest = withoutBlocks(rest, `<${name}>`, `</${name}>`)
  const [, command] = /<command-name>([^<]{1,200})<\/command-name>/.exec(rest) ?? []
  if (command !== undefined) {
    const [, given = ''] = /<command-args>([^<]{0,4000})<\/command-args>/.exec(rest) ?? []
    return given.trim() === '' ? '' : `${command.trim()} ${given.trim()}`
  }
  const clean = requestIn(rest).trim()
  if (INIT.test(clean)) return '/init'
  return WRITTEN_BY_PROGRAM.test(clean) ? '' : clean
}

function withoutBlocks(text: string, open: string, close: string): string {
  const [before = '', ...rest] = text.split(open)
  const kept = rest.map(part => {
    const end = part.indexOf(close)
    return end < 0 ? open + part : part.slice(end + close.length)
  })
  return before + kept.join('')
}
