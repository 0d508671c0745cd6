import {
  type Conversation,
  type ConversationMessage,
  listOf,
  membersOf,
  textOf,
  withFiles,
} from '../shared/conversation.js'

/** A conversation of Claude's export. Its messages (`chat_messages`) are a list. */
export function claudeConversation(conversation: Record<string, unknown>): Conversation {
  const started = timeOf(conversation.created_at)
  const messages: ConversationMessage[] = []
  for (const item of listOf(conversation.chat_messages)) {
    const message = membersOf(item)
    const time = timeOf(message.created_at) ?? messages.at(-1)?.time ?? started
    messages.push(...messagesOf(message).map(said => ({ ...said, time })))
  }
  const title = textOf(conversation.name).trim()
  return { assistant: 'Claude', id: textOf(conversation.uuid), title, messages }
}

/** The message, and before it the texts that were attached to it. */
function messagesOf(message: Record<string, unknown>): Omit<ConversationMessage, 'time'>[] {
  const { sender } = message
  if (sender !== 'human' && sender !== 'assistant') return []
  const attachments = listOf(message.attachments).map(membersOf)
  const messages = attachments.map(({ file_name: name, extracted_content: text }) => ({
    heading: `You gave Claude ${textOf(name).trim() || 'a text'}`,
    text: textOf(text),
  }))
  const files = [...attachments, ...listOf(message.files).map(membersOf)]
  const text = withFiles(contentOf(message), [...new Set(files.map(({ file_name: name }) => textOf(name)))])
  messages.push({ heading: sender === 'human' ? 'You asked Claude' : 'Claude answered', text })
  return messages.filter(({ text }) => text.trim() !== '')
}

/**
 * The blocks of text, without thoughts and calls of tools. `text` holds the same in exports without blocks;
 * in others it says “This block is not supported” where a tool was called.
 */
function contentOf({ content, text }: Record<string, unknown>): string {
  const blocks = listOf(content)
    .map(membersOf)
    .filter(({ type }) => type === 'text')
    .map(block => textOf(block.text))
    .filter(block => block.trim() !== '')
  return blocks.length > 0 ? blocks.join('\n\n') : textOf(text)
}

function timeOf(date: unknown): number | undefined {
  const time = Date.parse(textOf(date))
  return Number.isNaN(time) ? undefined : time
}
