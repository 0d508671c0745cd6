import {
  type Conversation,
  type ConversationMessage,
  isoTime,
  listOf,
  membersOf,
  textOf,
  withFiles,
} from '../shared/conversation.js'
import { fenced } from '../shared/markdown-text.js'

type Said = Omit<ConversationMessage, 'time'>

/** A conversation of Claude's export. Its messages (`chat_messages`) are a list. */
export function claudeConversation(conversation: Record<string, unknown>): Conversation {
  const started = isoTime(conversation.created_at)
  const messages: ConversationMessage[] = []
  const titles = new Map<string, string>()
  for (const item of listOf(conversation.chat_messages)) {
    const message = membersOf(item)
    const time = isoTime(message.created_at) ?? messages.at(-1)?.time ?? started
    messages.push(
      ...[...messagesOf(message), ...artifactsOf(message, titles)].map(said => ({ ...said, time })),
    )
  }
  const title = textOf(conversation.name).trim()
  return { assistant: 'Claude', id: textOf(conversation.uuid), title, messages }
}

/** The message, preceded by its attached texts. */
function messagesOf(message: Record<string, unknown>): Said[] {
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
 * The text blocks, without thoughts and tool calls. `text` contains the same in exports without blocks;
 * in others it contains “This block is not supported” for tool calls.
 */
function contentOf({ content, text }: Record<string, unknown>): string {
  const blocks = listOf(content)
    .map(membersOf)
    .filter(({ type }) => type === 'text' || type === 'voice_note')
    .map(block => textOf(block.text))
    .filter(block => block.trim() !== '')
  return blocks.length > 0 ? blocks.join('\n\n') : textOf(text)
}

/** Documents written by Claude: artifacts and files. `titles`: artifact titles by id. */
function artifactsOf(message: Record<string, unknown>, titles: Map<string, string>): Said[] {
  return listOf(message.content)
    .map(membersOf)
    .filter(({ type, name }) => type === 'tool_use' && DOCUMENTS.test(textOf(name)))
    .map(({ input }) => {
      const { id, title, path, command, content, file_text, new_str, type, language } = membersOf(input)
      const name = textOf(title) || titles.get(textOf(id)) || textOf(path).split('/').at(-1) || 'a document'
      titles.set(textOf(id), name)
      const text = textOf(content) || textOf(file_text) || textOf(new_str)
      const isText =
        /^text\/(?:markdown|plain)$/.test(textOf(type)) || (textOf(type) === '' && !CODE.test(name))
      const verb = command === 'update' || (text !== '' && text === textOf(new_str)) ? 'changed' : 'wrote'
      return {
        heading: `Claude ${verb} ${name}`,
        text: isText || text === '' ? text : fenced(text, textOf(language)),
      }
    })
    .filter(({ text }) => text.trim() !== '')
}

const DOCUMENTS = /^(?:artifacts|create_file|str_replace)$/
const CODE = /\.(?!md$|txt$)[a-z]{1,10}$/i

/** A project of Claude's export (`projects.json`): its description and documents. */
export function claudeProject(project: Record<string, unknown>): Conversation {
  const docs = listOf(project.docs).map(membersOf)
  const time = isoTime(project.created_at)
  const messages = [
    { heading: 'Description', text: textOf(project.description), time },
    { heading: 'Instructions', text: textOf(project.prompt_template), time },
    ...docs.map(({ filename, content, created_at }) => ({
      heading: textOf(filename) || 'Document',
      text: textOf(content),
      time: isoTime(created_at) ?? time,
    })),
  ]
  const [id, title] = [textOf(project.uuid), textOf(project.name).trim()]
  return { assistant: 'Claude', kind: 'project', id, title, messages }
}

/** Claude's memory (`memories.json`) of conversations and projects. */
export function claudeMemory(memory: Record<string, unknown>): Conversation {
  const ofProjects = Object.values(membersOf(memory.project_memories)).map(textOf)
  const texts = [textOf(memory.conversations_memory), ...ofProjects]
  const messages = texts.map((text, at) => ({
    heading: at === 0 ? 'Of all conversations' : 'Of a project',
    text,
    time: undefined,
  }))
  const id = `memory ${textOf(memory.account_uuid)}`
  return { assistant: 'Claude', kind: 'memory', id, title: 'What Claude remembers', messages }
}
