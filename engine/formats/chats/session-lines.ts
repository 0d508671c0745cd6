import { words } from '../../../platform/common/words.js'
import { isoTime, listOf, membersOf, parsedMembers, textOf } from '../shared/conversation.js'
import { type SessionEvent, type SessionFacts, type SessionLine, toolUse, typed } from './agent-session.js'

const AGENT = 'Codex'

/** A line of a Codex session (`~/.codex/sessions/…/rollout-*.jsonl`), including those before 2025-10, whose lines are plain items; null for other lines. */
export function codexLine(line: Record<string, unknown>): SessionLine | null {
  const time = isoTime(line.timestamp)
  if (line.type === 'session_meta') return factsOf(membersOf(line.payload))
  if (line.type === 'turn_context') return factsOf({ cwd: membersOf(line.payload).cwd })
  if (line.type === 'response_item') return itemOf(membersOf(line.payload), time)
  if (line.type === 'event_msg' || line.type === 'compacted' || 'record_type' in line) return { events: [] }
  if ('instructions' in line && 'id' in line) return factsOf(line)
  return ITEMS.has(textOf(line.type)) ? itemOf(line, time) : null
}

const FOLDER =
  /<environment_context>\s{0,20}(?:<cwd>([^<>\n]{1,500})<\/cwd>|Current working directory: ([^\n]{1,500}))/

const ITEMS = words(`message reasoning function_call function_call_output custom_tool_call
  custom_tool_call_output local_shell_call web_search_call`)

function factsOf({ id, cwd, timestamp }: Record<string, unknown>): SessionLine {
  const time = isoTime(timestamp)
  return {
    facts: {
      agent: AGENT,
      ...(time === undefined ? {} : { time }),
      ...(textOf(id) ? { id: textOf(id) } : {}),
      ...(textOf(cwd) ? { folder: textOf(cwd) } : {}),
    },
    events: [],
  }
}

function itemOf(item: Record<string, unknown>, time: number | undefined): SessionLine {
  const agent = (text: string): SessionLine => ({ events: text === '' ? [] : [{ who: 'agent', text, time }] })
  switch (item.type) {
    case 'message': {
      const { content } = item
      const texts =
        typeof content === 'string' ? [content] : listOf(content).map(part => textOf(membersOf(part).text))
      if (item.role === 'assistant') return agent(texts.join('\n\n').trim())
      if (item.role !== 'user') return { events: [] }
      const text = texts.map(typed).filter(Boolean).join('\n\n')
      const events: SessionEvent[] = text === '' ? [] : [{ who: 'user', text, time }]
      // Before 2025-10, only the first message contains the folder.
      const cwd = FOLDER.exec(texts[0]?.slice(0, 2_000) ?? '')
        ?.slice(1)
        .find(Boolean)
      return cwd === undefined ? { events } : { ...factsOf({ cwd: cwd.trim() }), events }
    }
    case 'function_call':
      return agent(toolUse(item.name, parsed(item.arguments)))
    case 'custom_tool_call':
      return agent(toolUse(item.name, inputOf(textOf(item.input))))
    case 'local_shell_call':
      return agent(toolUse('shell', membersOf(item.action)))
    case 'web_search_call':
      return agent(toolUse('web search', membersOf(item.action)))
    default:
      return { events: [] }
  }
}

/** The input of a tool: JSON, a patch, or a program described by its first lines. */
function inputOf(text: string): Record<string, unknown> {
  const members = parsed(text)
  if (Object.keys(members).length > 0) return members
  if (text.includes('*** Begin Patch')) return { input: text }
  return { command: text.split('\n').slice(0, 3).join(' ') }
}

const parsed = (text: unknown) => parsedMembers(textOf(text)) ?? {}

/** Metadata of a Gemini CLI session (`~/.gemini/tmp/…/chats/session-*.json`, or the first line of `.jsonl`). */
export const geminiFacts = (session: Record<string, unknown>): SessionFacts => ({
  agent: 'Gemini CLI',
  id: textOf(session.sessionId),
  title: textOf(session.summary),
})

/** A message of such a session; null for notes of the program. */
export function geminiEvent(message: Record<string, unknown>): SessionEvent | null {
  const { type, content, toolCalls, timestamp } = message
  if (type !== 'user' && type !== 'gemini') return null
  const said = textIn(content)
  const uses = listOf(toolCalls)
    .map(membersOf)
    .map(({ name, displayName, args }) => toolUse(displayName ?? name, membersOf(args)))
  const text = type === 'user' ? typed(said) : [said.trim(), uses.join('\n')].filter(Boolean).join('\n\n')
  return text === '' ? null : { who: type === 'user' ? 'user' : 'agent', text, time: isoTime(timestamp) }
}

/** The text of a string or a list of parts. */
const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (Array.isArray(content) ? content : [content])
        .map(part => textOf(membersOf(part).text) || textOf(part))
        .filter(Boolean)
        .join('\n')

const CLAUDE_CODE = 'Claude Code'

/** A line of a Claude Code session (`~/.claude/projects/…/*.jsonl`); null for other lines. Messages of subagents are left out. */
export function claudeCodeLine(line: Record<string, unknown>): SessionLine | null {
  const { type } = line
  const title = textOf(line.summary) || textOf(line.customTitle) || textOf(line.aiTitle)
  if (title !== '') return { facts: { agent: CLAUDE_CODE, title }, events: [] }
  if (textOf(line.sessionId) === '' && typeof line.uuid !== 'string') return null
  const facts: SessionFacts = { agent: CLAUDE_CODE, id: textOf(line.sessionId), folder: textOf(line.cwd) }
  const isHidden = line.isMeta === true || line.isSidechain === true || line.isCompactSummary === true
  if (isHidden || (type !== 'user' && type !== 'assistant')) return { events: [] }
  const { content } = membersOf(line.message)
  const texts = typeof content === 'string' ? [content] : listOf(content).map(membersOf).map(textOfBlock)
  const text = texts
    .map(each => (type === 'user' ? typed(each) : each.trim()))
    .filter(Boolean)
    .join('\n\n')
  if (text === '') return { facts, events: [] }
  return { facts, events: [{ who: type === 'user' ? 'user' : 'agent', text, time: isoTime(line.timestamp) }] }
}

/** Text and tool use, without thoughts and tool output. */
function textOfBlock({ type, text, name, input }: Record<string, unknown>): string {
  if (type === 'text') return textOf(text)
  return type === 'tool_use' ? toolUse(name, membersOf(input)) : ''
}
