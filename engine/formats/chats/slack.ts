import type { Parsed } from '../../graph/index.js'
import { personRecords } from '../mail/person.js'
import {
  joined,
  knownTime,
  labelled,
  listOf,
  membersOf,
  objectsOf,
  parsedMembers,
  textOf,
} from '../shared/conversation.js'
import type { Format, SourceFile } from '../shared/format.js'
import { readParts } from '../shared/lines.js'
import { rowOf } from '../shared/markdown-text.js'
import { checked } from '../shared/record.js'
import { jsonItems } from '../tables/json-items.js'
import { ChatLog } from './conversation-records.js'

/** A file of a Slack export: the users (`users.json`), or one day of a channel. */
export const slack: Format = {
  id: 'slack',
  title: 'Slack export',
  extensions: ['json'],
  isRewritten: true,
  names: /^\d{4}-\d\d-\d\d\.json$/,
  begins:
    /^\[\s{0,20}\{(?:[\s\S]{0,900}"(?:client_msg_id|user_profile|user_team|source_team|team_id|ts)"\s{0,3}:|\s{0,20}"type"\s{0,3}:\s{0,3}"message"\s{0,3},\s{0,20}"(?:user"\s{0,3}:\s{0,3}"[UWB][A-Z0-9]{6,14}"|subtype"|bot_id"|username"))/,
  parse: (bytes, file) => readParts(jsonItems(bytes), new SlackDay(file)),
}

/** Subtypes of system messages about a channel. */
const ABOUT =
  /^(?:channel|group)_(?:join|leave|topic|purpose|name|archive|unarchive|posting_permissions|convert)/

const MAX_ATTACHED = 10

const idOf = (user: string) => `Slack ${user}`

class SlackDay {
  readonly #names: Map<string, string>
  readonly #log: ChatLog

  constructor(file: SourceFile | undefined) {
    this.#names = file?.names ?? new Map()
    this.#log = new ChatLog(file?.document, () => {
      const [folder = 'channel', day = ''] = (file?.path ?? 'channel/day.json').split('/').slice(-2)
      const title = `#${folder}, ${day.replace(/\.json$/, '')}`
      return { id: `Slack #${folder}`, name: `#${folder}`, title, type: 'Slack channel' }
    })
  }

  read({ line, text }: { line: number; text: string }): Iterable<Parsed> {
    const value = parsedMembers(text)
    if (!value) return [{ line, problem: 'This message is not JSON.' }]
    if ('ts' in value) return this.#message(line, value)
    return 'profile' in value ? this.#person(line, value) : []
  }

  end(): Iterable<Parsed> {
    return this.#log.end(1)
  }

  #person(line: number, { id, name, real_name: real, profile }: Record<string, unknown>): Parsed[] {
    const { email, display_name: display, real_name: shown } = membersOf(profile)
    const known = (textOf(real) || textOf(shown) || textOf(display) || textOf(name)).trim()
    const user = textOf(id)
    if (user === '' || known === '') return []
    this.#names.set(user, known)
    const address = textOf(email).trim()
    const thing = idOf(user)
    const records = address === '' ? [] : personRecords({ name: known, address })
    const aliases = [textOf(display), textOf(name)]
      .map(alias => alias.trim())
      .filter(alias => alias && alias !== known)
    return [
      ...records.map(record => checked(line, record)),
      checked(line, { kind: 'entity', id: thing, name: known, type: 'person' }),
      ...aliases.map(alias => checked(line, { kind: 'alias', entity: thing, alias })),
      ...(address === ''
        ? []
        : [checked(line, { kind: 'same', entity: thing, sameAs: address.toLowerCase() })]),
    ]
  }

  *#message(line: number, message: Record<string, unknown>): Generator<Parsed> {
    const { subtype, user, ts, username, files } = message
    if (ABOUT.test(textOf(subtype))) return
    const profile = membersOf(message.user_profile)
    // Until 2018, the author of a comment on a file was in the comment.
    const id = textOf(user) || textOf(membersOf(message.comment).user)
    const who =
      textOf(profile.real_name) ||
      textOf(profile.display_name) ||
      this.#names.get(id) ||
      textOf(username) ||
      id
    const names = objectsOf(files).map(({ name }) => textOf(name))
    const written = this.#readable(textOf(message.text))
    const inBlocks = this.#blocks(message.blocks)
    // Messages of bots often have only a short fallback text.
    const isInBlocks = message.bot_id !== undefined && inBlocks.length > written.length
    const said = written === '' || isInBlocks ? inBlocks : written
    const text = [said, ...this.#attached(message), labelled('Attached', names)].filter(Boolean).join('\n')
    if (text.trim() === '') return
    const time = knownTime(Number.parseFloat(textOf(ts)) * 1000)
    yield* this.#log.add(line, { who, person: id === '' ? undefined : idOf(id), text, time })
  }

  /** Attachments of bots, and forwarded messages. Attachments for links in the text are previews and left out. */
  #attached({ text, attachments }: Record<string, unknown>): string[] {
    return objectsOf(attachments)
      .filter(
        ({ is_share, is_msg_unfurl }) => is_share === true || is_msg_unfurl === true || textOf(text) === '',
      )
      .map(({ author_name, pretext, title, title_link, text: body, fallback, fields, blocks }) => {
        const heading = joined([title, title_link].map(textOf), ' ')
        const values = objectsOf(fields).map(({ title, value }) => joined([title, value].map(textOf), ': '))
        const whole = joined([textOf(pretext), heading, textOf(body), ...values, this.#blocks(blocks)])
        const from = textOf(author_name)
        return this.#readable(`${from === '' ? '' : `${from}:\n`}${whole || textOf(fallback)}`)
      })
      .slice(0, MAX_ATTACHED)
  }

  #blocks(blocks: unknown): string {
    return textOfBlocks(blocks, user => this.#names.get(user) ?? user)
  }

  /** Converts Slack's markup (`<@U1>`, `<https://…|text>`) to readable text. */
  #readable(text: string): string {
    return text
      .replace(
        /<@([A-Z0-9]{1,30})(?:\|([^<>]{1,100}))?>/g,
        (_all, id: string, name?: string) => `@${this.#names.get(id) ?? name ?? id}`,
      )
      .replace(/<#[A-Z0-9]{1,30}\|([^<>]{1,100})>/g, '#$1')
      .replace(/<!(?:subteam\^[A-Z0-9]{1,30}\|)?@?([^<>|]{1,100})(?:\|[^<>]{1,100})?>/g, '@$1')
      .replace(
        /<((?:https?|mailto):[^<>|]{1,2000})\|([^<>]{1,500})>/g,
        (_all, address: string, label: string) =>
          address.endsWith(label) ? address : `${label} (${address})`,
      )
      .replace(/<((?:https?|mailto):[^<>|]{1,2000})>/g, '$1')
      .replace(/<tel:[^<>|]{1,60}\|([^<>]{1,60})>/g, '$1')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  }
}

type Block = Record<string, unknown>

/** Maximum nesting of blocks, and blocks of one message. */
const MAX_DEPTH = 8
const MAX_BLOCKS = 1_000

const blocksIn = (value: unknown) => listOf(value).slice(0, MAX_BLOCKS).map(membersOf)

/** The text of Slack's blocks (rich text and Block Kit) as Markdown. `nameOf`: the name of a person. */
function textOfBlocks(blocks: unknown, nameOf: (id: string) => string, depth = 0): string {
  if (depth > MAX_DEPTH) return ''
  const texts = blocksIn(blocks).map(block => textOfBlock(block, nameOf, depth))
  return texts.filter(text => text.trim() !== '').join('\n')
}

function textOfBlock(block: Block, nameOf: (id: string) => string, depth: number): string {
  const { type, elements, style, indent, rows } = block
  const inner = (of: unknown = elements) => textOfBlocks(of, nameOf, depth + 1)
  const inLine = () =>
    blocksIn(elements)
      .map(each => textOfElement(each, nameOf))
      .join('')
  if (type === 'rich_text' || type === 'context') return inner()
  if (type === 'rich_text_section') return inLine()
  if (type === 'rich_text_preformatted') return `\`\`\`\n${inLine().replaceAll('```', '')}\n\`\`\``
  if (type === 'rich_text_quote') return inLine().replace(/^/gm, '> ')
  if (type === 'rich_text_list')
    return inner().replace(/^/gm, `${'  '.repeat(Number(indent) || 0)}${style === 'ordered' ? '1.' : '-'} `)
  if (type === 'table')
    return listOf(rows)
      .map(row => rowOf(listOf(row).map(cell => inner([cell]).replaceAll('\n', ' '))))
      .join('\n')
  // Block Kit: a text, fields, a picture with alternative text.
  const texts = [block.title, block, block.description, ...listOf(block.fields)].map(
    each => membersOf(each).text,
  )
  return [...texts.map(text => textOf(membersOf(text).text) || textOf(text)), textOf(block.alt_text)]
    .filter(text => text !== '')
    .join('\n')
}

function textOfElement(element: Block, nameOf: (id: string) => string): string {
  const { type, text, url, user_id, range, name, fallback } = element
  if (type === 'link') return textOf(text) === '' ? textOf(url) : `${textOf(text)} (${textOf(url)})`
  if (type === 'user') return `@${nameOf(textOf(user_id))}`
  if (type === 'broadcast') return `@${textOf(range)}`
  return type === 'emoji' ? `:${textOf(name)}:` : textOf(text) || textOf(fallback)
}
