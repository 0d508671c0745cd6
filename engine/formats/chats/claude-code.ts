import { isoTime, listOf, membersOf, textOf } from '../shared/conversation.js'
import { type SessionFacts, type SessionLine, toolUse, typed } from './agent-session.js'

const AGENT = 'Claude Code'

/** A line of a session of Claude Code (`~/.claude/projects/…/*.jsonl`); null if it is none. Messages of subagents are left out. */
export function claudeCodeLine(line: Record<string, unknown>): SessionLine | null {
  const { type } = line
  const title = textOf(line.summary) || textOf(line.customTitle) || textOf(line.aiTitle)
  if (title !== '') return { facts: { agent: AGENT, title }, events: [] }
  if (textOf(line.sessionId) === '' && typeof line.uuid !== 'string') return null
  const facts: SessionFacts = { agent: AGENT, id: textOf(line.sessionId), folder: textOf(line.cwd) }
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

/** Text and the use of tools; not thoughts, and not what tools put out. */
function textOfBlock({ type, text, name, input }: Record<string, unknown>): string {
  if (type === 'text') return textOf(text)
  return type === 'tool_use' ? toolUse(name, membersOf(input)) : ''
}
