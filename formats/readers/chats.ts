import type { Parsed } from '../../graph/model.js'
import { chatgptConversation } from './chatgpt.js'
import { claudeConversation } from './claude.js'
import { type Conversation, membersOf } from './conversation.js'
import type { DocumentSink, Format } from './format.js'
import { type JsonItem, jsonItems } from './json-items.js'
import { maxBatch } from './lines.js'
import { MarkdownPassages } from './markdown-passages.js'
import { checked } from './record.js'

/**
 * The conversations of a ChatGPT or Claude export (`conversations.json`). Each is an entity; its messages are
 * passages in sequence, with the speaker in the title and the time at which they were sent.
 */
export const chats: Format = {
  id: 'chats',
  title: 'ChatGPT or Claude export',
  extensions: ['json'],
  // ChatGPT splits large exports into conversations-000.json, conversations-001.json, …
  names: /^conversations(?:-\d{1,6})?(?: ?\(\d{1,6}\))?\.json$/i,
  hasParts: true,
  begins: /^\[/,
  async *parse(bytes, file) {
    for await (const items of jsonItems(bytes)) {
      for (const item of items) yield* batchesOf(readItem(item, file?.document))
      // Even when empty, so that the caller can yield to other work.
      yield []
    }
  },
}

function* batchesOf(parsed: Iterable<Parsed>): Generator<Parsed[]> {
  let batch: Parsed[] = []
  for (const item of parsed) {
    batch.push(item)
    if (batch.length < maxBatch) continue
    yield batch
    batch = []
  }
  yield batch
}

function* readItem(item: JsonItem, document: DocumentSink | undefined): Generator<Parsed> {
  if ('problem' in item) return yield item
  const { line, text } = item
  const conversation = conversationOf(text)
  if (typeof conversation === 'string') yield { line, problem: conversation }
  else if (conversation.id.trim() === '') yield { line, problem: 'This conversation has no id.' }
  else yield* recordsOf(line, conversation, document)
}

/** Returns the problem when it is none. */
function conversationOf(text: string): Conversation | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'This is not JSON.'
  }
  const members = membersOf(value)
  if ('mapping' in members) return chatgptConversation(members)
  if ('chat_messages' in members) return claudeConversation(members)
  return 'This is not a conversation: ChatGPT’s have a “mapping”, Claude’s have “chat_messages”.'
}

function* recordsOf(
  line: number,
  { assistant, id, title, messages }: Conversation,
  document: DocumentSink | undefined,
): Generator<Parsed> {
  if (messages.length === 0) return
  const entity = `${assistant} ${id}`
  const name = title.slice(0, longestTitle).trim() || `Untitled conversation with ${assistant}`
  yield checked(line, { kind: 'entity', id: entity, name, type: `${assistant} conversation` })
  const first = messages[0]?.time
  document?.begin(name)
  if (first !== undefined) document?.about({ time: first })
  let seq = 0
  for (const { heading, text, time } of messages) {
    const at = document?.line ?? line
    document?.write(messageText(heading, time, text))
    for (const passage of new MarkdownPassages().split(text)) {
      yield checked(line, {
        kind: 'passage',
        entity,
        title: `${name} > ${heading.slice(0, longestTitle)}`,
        text: passage,
        seq: ++seq,
        ...(time === undefined ? {} : { time }),
        line: at,
      })
    }
  }
}

/** A message of a document: a heading of the third level with who and when, then its text, whose own headings are escaped. */
function messageText(heading: string, time: number | undefined, text: string): string {
  const when = time === undefined ? '' : ` · ${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}`
  const body = text.replace(/^### /gm, '\\### ').trimEnd()
  return `### ${heading.replace(/\s+/g, ' ')}${when}\n\n${body}\n\n`
}

/** Characters of a conversation's name and of a heading. */
const longestTitle = 300
