import { type Members, membersOf, objectsOf, textOf } from '../shared/json.js'
import { fenced } from '../shared/markdown-text.js'
import { isoTime, joined, labelled } from '../shared/values.js'
import type { Conversation, ConversationMessage } from './conversation-records.js'

/** A conversation of Claude's export. Its messages (`chat_messages`) are a list. */
export function claudeConversation({ uuid, name, created_at, ...rest }: Members): Conversation {
  const titles = new Map<string, string>()
  const messages = objectsOf(rest.chat_messages).flatMap(message => [
    ...messagesOf(message),
    ...artifactsOf(message, titles),
  ])
  return { assistant: 'Claude', id: textOf(uuid), title: textOf(name), time: isoTime(created_at), messages }
}

/** The message, preceded by its attached texts. */
function messagesOf(message: Members): ConversationMessage[] {
  const { sender } = message
  const time = isoTime(message.created_at)
  if (sender !== 'human' && sender !== 'assistant') return []
  const attachments = objectsOf(message.attachments)
  const given = attachments.map(({ file_name: name, extracted_content: text }) => ({
    heading: `You gave Claude ${textOf(name).trim() || 'a text'}`,
    ...{ text: textOf(text), time },
  }))
  const files = [...attachments, ...objectsOf(message.files)]
  const names = new Set(files.map(({ file_name: name }) => textOf(name).trim()))
  const text = joined([contentOf(message), labelled('Attached', [...names])], '\n\n')
  return [...given, { heading: sender === 'human' ? 'You asked Claude' : 'Claude answered', text, time }]
}

/**
 * The text blocks, without thoughts and tool calls. `text` contains the same in exports without blocks;
 * in others it contains “This block is not supported” for tool calls.
 */
function contentOf({ content, text }: Members): string {
  const blocks = objectsOf(content).filter(({ type }) => type === 'text' || type === 'voice_note')
  const texts = blocks.map(block => textOf(block.text))
  return joined(texts, '\n\n') || textOf(text)
}

/** Documents written by Claude: artifacts and files. `titles`: artifact titles by id. */
function artifactsOf(message: Members, titles: Map<string, string>): ConversationMessage[] {
  const time = isoTime(message.created_at)
  return objectsOf(message.content)
    .filter(({ type, name }) => type === 'tool_use' && DOCUMENTS.test(textOf(name)))
    .map(({ input }) => {
      const { id, title, path, command, content, file_text, new_str, type, language } = membersOf(input)
      const name = textOf(title) || titles.get(textOf(id)) || textOf(path).split('/').at(-1) || 'a document'
      titles.set(textOf(id), name)
      const text = textOf(content) || textOf(file_text) || textOf(new_str)
      const isText =
        /^text\/(?:markdown|plain)$/.test(textOf(type)) || (textOf(type) === '' && !CODE.test(name))
      const verb = command === 'update' || (text !== '' && text === textOf(new_str)) ? 'changed' : 'wrote'
      const shown = isText || text.trim() === '' ? text : fenced(text, textOf(language))
      return { heading: `Claude ${verb} ${name}`, text: shown, time }
    })
}

const DOCUMENTS = /^(?:artifacts|create_file|str_replace)$/
const CODE = /\.(?!md$|txt$)[a-z]{1,10}$/i

/** A project of Claude's export (`projects.json`): its description and documents. */
export function claudeProject(project: Members): Conversation {
  const { uuid, name, description, prompt_template: instructions, docs, created_at } = project
  const messages = [
    { heading: 'Description', text: textOf(description), time: undefined },
    { heading: 'Instructions', text: textOf(instructions), time: undefined },
    ...objectsOf(docs).map(({ filename, content, created_at }) => ({
      heading: textOf(filename) || 'Document',
      text: textOf(content),
      time: isoTime(created_at),
    })),
  ]
  const time = isoTime(created_at)
  return { assistant: 'Claude', kind: 'project', id: textOf(uuid), title: textOf(name), time, messages }
}

/** Claude's memory (`memories.json`) of conversations and projects. */
export function claudeMemory(memory: Members): Conversation {
  const ofProjects = Object.values(membersOf(memory.project_memories))
  const messages = [memory.conversations_memory, ...ofProjects].map((text, at) => ({
    heading: at === 0 ? 'Of all conversations' : 'Of a project',
    text: textOf(text),
    time: undefined,
  }))
  const id = `memory ${textOf(memory.account_uuid)}`
  const title = 'What Claude remembers'
  return { assistant: 'Claude', kind: 'memory', id, title, time: undefined, messages }
}
