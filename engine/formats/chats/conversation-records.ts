import type { Parsed } from '../../graph/index.js'
import { MarkdownPassages } from '../notes/markdown-passages.js'
import type { ConversationMessage } from '../shared/conversation.js'
import type { DocumentSink } from '../shared/format.js'
import { checked } from '../shared/record.js'

/** What is said in a conversation, whoever has it. */
export interface ConversationThing {
  /** What identifies it. */
  id: string
  name: string
  /** Such as `Claude conversation`. */
  type: string
  /** Of its document, if that has a title of its own. */
  title?: string
  /** The name of its document within the file, if that holds several. */
  path?: string
}

/** Characters of a conversation's name and of a heading. */
export const LONGEST_TITLE = 300

/** Turns the messages of a conversation into passages, in sequence, and into the text that people read, one by one. */
export class ConversationRecords {
  readonly #thing: ConversationThing
  readonly #document: DocumentSink | undefined
  #seq = 0

  constructor(thing: ConversationThing, document: DocumentSink | undefined) {
    this.#thing = thing
    this.#document = document
  }

  /** @param time of the first message */
  begin(line: number, time: number | undefined): Parsed {
    const { title, path, ...thing } = this.#thing
    if (path !== undefined) this.#document?.begin(path)
    if (title !== undefined) this.#document?.about({ title })
    if (time !== undefined) this.#document?.about({ time })
    return checked(line, { kind: 'entity', ...thing })
  }

  relate(line: number, predicate: string, object: string): Parsed {
    if (predicate === 'tagged') this.#document?.about({ tags: [object] })
    return checked(line, { kind: 'relation', subject: this.#thing.id, predicate, object })
  }

  *add(line: number, { heading, text, time }: ConversationMessage): Generator<Parsed> {
    const { id: entity, name } = this.#thing
    const at = this.#document?.line ?? line
    this.#document?.write(messageText(heading, time, text))
    for (const passage of new MarkdownPassages().split(text)) {
      yield checked(line, {
        kind: 'passage',
        entity,
        title: `${name} > ${heading.slice(0, LONGEST_TITLE)}`,
        text: passage,
        seq: ++this.#seq,
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
