import { words } from '../../../platform/common/words.js'
import { listOf, type Members, membersOf, parsedMembers, textOf } from '../shared/json.js'
import { isoTime, joined } from '../shared/values.js'
import { type SessionEvent, type SessionFacts, type SessionLine, toolUse, typed } from './agent-session.js'

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
export function codexLine(line: Members): SessionLine | null {
  const { type, payload, timestamp } = line
  if (type === 'session_meta' || type === 'turn_context')
    return { facts: codexFacts(membersOf(payload)), events: [] }
  if (type === 'response_item') return itemOf(membersOf(payload), timestamp)
  if (type === 'event_msg' || type === 'compacted' || 'record_type' in line) return { events: [] }
  if ('instructions' in line && 'id' in line) return { facts: codexFacts(line), events: [] }
  return ITEMS.has(textOf(type)) ? itemOf(line, timestamp) : null
}

const ITEMS = words(`message reasoning function_call function_call_output custom_tool_call
  custom_tool_call_output local_shell_call web_search_call`)
const FOLDER =
  /<environment_context>\s{0,20}(?:<cwd>([^<>\n]{1,500})<\/cwd>|Current working directory: ([^\n]{1,500}))/

function codexFacts({ id, cwd, timestamp }: Members): SessionFacts {
  const time = isoTime(timestamp)
  return { agent: 'Codex', id: textOf(id), folder: textOf(cwd), ...(time === undefined ? {} : { time }) }
}

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
  if (item.type !== 'message' || (item.role !== 'assistant' && item.role !== 'user')) return { events: [] }
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
export const geminiFacts = (session: Members): SessionFacts => ({
  agent: 'Gemini CLI',
  id: textOf(session.sessionId),
  title: textOf(session.summary),
})

/** A message of such a session, without notes of the program. */
export function geminiEvents({ type, content, toolCalls, timestamp }: Members): SessionEvent[] {
  if (type !== 'user' && type !== 'gemini') return []
  const uses = listOf(toolCalls)
    .map(membersOf)
    .map(({ name, displayName, args }) => toolUse(displayName ?? name, membersOf(args)))
  const texts = [joined(textsIn(content)), uses.join('\n')]
  return said(type === 'user' ? 'user' : 'agent', texts, timestamp)
}

/** A line of a Claude Code session (`~/.claude/projects/…/*.jsonl`); null for other lines. Messages of subagents are left out. */
export function claudeCodeLine(line: Members): SessionLine | null {
  const { type, message, timestamp } = line
  const agent = 'Claude Code'
  const title = textOf(line.summary) || textOf(line.customTitle) || textOf(line.aiTitle)
  if (title !== '') return { facts: { agent, title }, events: [] }
  if (textOf(line.sessionId) === '' && typeof line.uuid !== 'string') return null
  const isHidden = line.isMeta === true || line.isSidechain === true || line.isCompactSummary === true
  if (isHidden || (type !== 'user' && type !== 'assistant')) return { events: [] }
  const facts: SessionFacts = { agent, id: textOf(line.sessionId), folder: textOf(line.cwd) }
  return {
    facts,
    events: said(type === 'user' ? 'user' : 'agent', textsIn(membersOf(message).content), timestamp),
  }
}
