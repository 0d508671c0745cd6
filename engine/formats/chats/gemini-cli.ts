import { isoTime, listOf, membersOf, textOf } from '../shared/conversation.js'
import { type SessionEvent, type SessionFacts, toolUse, typed } from './agent-session.js'

/** What a session of Gemini CLI says of itself (`~/.gemini/tmp/…/chats/session-*.json`, or the first line of `.jsonl`). */
export const geminiFacts = (session: Record<string, unknown>): SessionFacts => ({
  agent: 'Gemini CLI',
  id: textOf(session.sessionId),
  title: textOf(session.summary),
})

/** A message of such a session, or null: notes of the program are none. */
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

/** A text, or parts with texts. */
const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (Array.isArray(content) ? content : [content])
        .map(part => textOf(membersOf(part).text) || textOf(part))
        .filter(Boolean)
        .join('\n')
