import { listOf, type Members, membersOf, objectsOf, parsedMembers, textOf } from '../shared/json.js'
import { fenced } from '../shared/markdown-text.js'
import { joined, knownTime, labelled } from '../shared/values.js'
import type { Conversation, ConversationMessage } from './conversation-records.js'

/**
 * A conversation of ChatGPT's export. Its messages form a tree (`mapping`), because questions can be edited
 * and answers regenerated; the conversation shown in ChatGPT is the path to `current_node`.
 */
export function chatgptConversation(conversation: Members): Conversation {
  const { mapping, current_node: current, create_time: started, title } = conversation
  const path = shownPath(membersOf(mapping), current)
  return {
    assistant: 'ChatGPT',
    id: textOf(conversation.conversation_id) || textOf(conversation.id),
    title: textOf(title),
    time: timeOf(started),
    messages: path.flatMap(({ message }) => messageOf(membersOf(message)) ?? []),
  }
}

/** From the first message to the current one. */
function shownPath(nodes: Members, current: unknown): Members[] {
  const path: Members[] = []
  const passed = new Set<string>()
  let id = Object.hasOwn(nodes, textOf(current)) ? textOf(current) : (Object.keys(nodes).at(-1) ?? '')
  while (Object.hasOwn(nodes, id) && !passed.has(id)) {
    passed.add(id)
    const node = membersOf(nodes[id])
    path.push(node)
    id = textOf(node.parent)
  }
  return path.reverse()
}

/** Null for messages hidden in ChatGPT: instructions, tool calls and their results. */
function messageOf(message: Members): ConversationMessage | null {
  const { role } = membersOf(message.author)
  const metadata = membersOf(message.metadata)
  if (role !== 'user' && role !== 'assistant') return null
  if (metadata.is_visually_hidden_from_conversation === true) return null
  const recipient = textOf(message.recipient) || 'all'
  if (recipient.startsWith('canmore.')) return canvasOf(message)
  if (recipient !== 'all') return null
  const attached = objectsOf(metadata.attachments).map(({ name }) => textOf(name))
  const text = joined([contentOf(membersOf(message.content)), labelled('Attached', attached)], '\n\n')
  const heading = role === 'user' ? 'You asked ChatGPT' : 'ChatGPT answered'
  return { heading, text, time: timeOf(message.create_time) }
}

/** A canvas document beside the conversation: its full text or its changes. */
function canvasOf(message: Members): ConversationMessage {
  const { text, parts } = membersOf(message.content)
  const value = parsedMembers(textOf(text) || textOf(listOf(parts)[0])) ?? {}
  const changed = objectsOf(value.updates).map(({ replacement }) => textOf(replacement))
  const [, language] = /^code\/([\w+#-]{1,40})$/.exec(textOf(value.type)) ?? []
  const written = textOf(value.content) || changed.join('\n\n')
  const heading =
    changed.length > 0 ? 'ChatGPT changed a document' : `ChatGPT wrote ${textOf(value.name) || 'a document'}`
  return {
    heading,
    text: language && written !== '' ? fenced(written, language) : written,
    time: timeOf(message.create_time),
  }
}

/** Text and speech. Pictures and recordings are separate files, and thoughts are not part of the answer. */
function contentOf({ content_type: type, parts }: Members): string {
  if (type !== 'text' && type !== 'multimodal_text') return ''
  const texts = listOf(parts).map(part => {
    const { content_type: kind, text } = membersOf(part)
    return textOf(part) || (kind === 'audio_transcription' ? textOf(text) : '')
  })
  return joined(texts, '\n\n').replace(CITATION, '')
}

/** A reference to a search result, which works only in ChatGPT. */
const CITATION = /\ue200[^\ue200\ue201]*\ue201|【[^【】]{1,100}】/g

/** Seconds since 1970 as milliseconds. */
const timeOf = (seconds: unknown) => (typeof seconds === 'number' ? knownTime(seconds * 1000) : undefined)
