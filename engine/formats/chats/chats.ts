import type { Parsed } from '../../graph/index.js'
import type { DocumentSink, Format } from '../shared/format.js'
import { type Members, parsedMembers } from '../shared/json.js'
import { readParts } from '../shared/lines.js'
import { jsonItems } from '../tables/json-parts.js'
import { chatgptConversation } from './chatgpt.js'
import { claudeConversation, claudeMemory, claudeProject } from './claude.js'
import type { Conversation } from './conversation-records.js'
import { ConversationRecords, MAX_TITLE_LENGTH } from './conversation-records.js'

/**
 * The conversations of a ChatGPT or Claude export (`conversations.json`). Each is an entity; its messages are
 * passages in sequence, with the speaker in the title and the time at which they were sent.
 */
export const chats: Format = {
  id: 'chats',
  title: 'ChatGPT or Claude export',
  extensions: ['json'],
  // ChatGPT splits large exports into conversations-000.json, conversations-001.json, …
  names: /^(?:conversations(?:-\d{1,6})?|projects|memories)(?: ?\(\d{1,6}\))?\.json$/i,
  hasParts: true,
  begins:
    /^\[\s{0,20}\{[\s\S]{0,900}"(?:mapping|create_time|conversation_id|chat_messages|uuid|conversations_memory|project_memories)"\s{0,5}:/,
  parse: (bytes, file) =>
    readParts(jsonItems(bytes), {
      *read({ line, text }) {
        const conversation = conversationOf(text)
        if (typeof conversation === 'string') yield { line, problem: conversation }
        else if (conversation.id.trim() === '') yield { line, problem: 'This conversation has no id.' }
        else yield* recordsOf(line, conversation, file?.document)
      },
      endsDocument: () => true,
    }),
}

/** Readers by a member that only their conversations, projects or memories have. */
const READERS: Readonly<Record<string, (members: Members) => Conversation>> = {
  mapping: chatgptConversation,
  chat_messages: claudeConversation,
  docs: claudeProject,
  prompt_template: claudeProject,
  conversations_memory: claudeMemory,
  project_memories: claudeMemory,
}

/** Returns a problem if it is not a conversation. */
function conversationOf(text: string): Conversation | string {
  const members = parsedMembers(text)
  if (!members) return 'This is not JSON.'
  const [, read] = Object.entries(READERS).find(([member]) => member in members) ?? []
  return (
    read?.(members) ??
    'This is not a conversation: ChatGPT’s have a “mapping”, Claude’s have “chat_messages”.'
  )
}

function* recordsOf(
  line: number,
  { assistant, kind = 'conversation', id, title, time, messages }: Conversation,
  document: DocumentSink | undefined,
): Generator<Parsed> {
  const name = title.trim().slice(0, MAX_TITLE_LENGTH).trim() || `Untitled ${kind} with ${assistant}`
  const thing = { id: `${assistant} ${id}`, name, type: `${assistant} ${kind}`, path: name }
  const records = new ConversationRecords(document, () => thing)
  let last = time
  for (const message of messages.filter(({ text }) => text.trim() !== '')) {
    last = message.time ?? last
    yield* records.add(line, { ...message, time: last })
  }
}
