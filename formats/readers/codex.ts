import { type SessionLine, timeOf, toolUse, typed } from './agent-session.js'
import { listOf, membersOf, textOf } from './conversation.js'

const AGENT = 'Codex'

/** A line of a session of Codex (`~/.codex/sessions/…/rollout-*.jsonl`), also of before 2025-10, whose lines are the items; null if it is none. */
export function codexLine(line: Record<string, unknown>): SessionLine | null {
  const time = timeOf(line.timestamp)
  if (line.type === 'session_meta') return factsOf(membersOf(line.payload))
  if (line.type === 'turn_context') return factsOf({ cwd: membersOf(line.payload).cwd })
  if (line.type === 'response_item') return itemOf(membersOf(line.payload), time)
  if (line.type === 'event_msg' || line.type === 'compacted' || 'record_type' in line) return { events: [] }
  if ('instructions' in line && 'id' in line) return factsOf(line)
  return ITEMS.has(textOf(line.type)) ? itemOf(line, time) : null
}

const ITEMS = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'web_search_call',
])

function factsOf({ id, cwd }: Record<string, unknown>): SessionLine {
  return {
    facts: {
      agent: AGENT,
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
      return { events: text === '' ? [] : [{ who: 'user', text, time }] }
    }
    case 'function_call':
      return agent(toolUse(item.name, parsed(item.arguments)))
    case 'custom_tool_call':
      return agent(toolUse(item.name, { command: textOf(item.input).split('\n').slice(0, 3).join(' ') }))
    case 'local_shell_call':
      return agent(toolUse('shell', membersOf(item.action)))
    case 'web_search_call':
      return agent(toolUse('web search', membersOf(item.action)))
    default:
      return { events: [] }
  }
}

function parsed(text: unknown): Record<string, unknown> {
  try {
    return membersOf(JSON.parse(textOf(text)))
  } catch {
    return {}
  }
}
