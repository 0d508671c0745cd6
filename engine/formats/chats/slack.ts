import type { GraphRecord, Parsed } from '../../graph/index.js'
import { personRecords } from '../mail/person.js'
import type { Format, SourceFile } from '../shared/format.js'
import { listOf, type Members, membersOf, objectsOf, parsedMembers, textOf } from '../shared/json.js'
import { readParts } from '../shared/lines.js'
import { rowOf } from '../shared/markdown-text.js'
import { checked } from '../shared/record.js'
import { joined, knownTime, labelled } from '../shared/values.js'
import { jsonItems } from '../tables/json-parts.js'
import { ChatLog, type ChatMessage } from './conversation-records.js'

/** A file of a Slack export: the users (`users.json`), or one day of a channel. */
export const slack: Format = {
  id: 'slack',
  title: 'Slack export',
  extensions: ['json'],
  isRewritten: true,
  names: /^\d{4}-\d\d-\d\d\.json$/,
  begins:
    /^\[\s{0,20}\{(?:[\s\S]{0,900}"(?:client_msg_id|user_profile|user_team|source_team|team_id|ts)"\s{0,3}:|\s{0,20}"type"\s{0,3}:\s{0,3}"message"\s{0,3},\s{0,20}"(?:user"\s{0,3}:\s{0,3}"[UWB][A-Z0-9]{6,14}"|subtype"|bot_id"|username"))/,
  parse: readSlack,
}

/** Subtypes of system messages about a channel. */
const ABOUT =
  /^(?:channel|group)_(?:join|leave|topic|purpose|name|archive|unarchive|posting_permissions|convert)/

const MAX_ATTACHED = 10

const idOf = (user: string) => `Slack ${user}`

type Names = Map<string, string>

function readSlack(bytes: AsyncIterable<Uint8Array>, file: SourceFile | undefined): AsyncGenerator<Parsed[]> {
  const names: Names = file?.names ?? new Map()
  const log = new ChatLog(file?.document, () => {
    const [folder = 'channel', day = ''] = (file?.path ?? 'channel/day.json').split('/').slice(-2)
    const title = `#${folder}, ${day.replace(/\.json$/, '')}`
    return { id: `Slack #${folder}`, name: `#${folder}`, title, type: 'Slack channel' }
  })
  return readParts(jsonItems(bytes), {
    *read({ line, text }) {
      const value = parsedMembers(text)
      if (!value) return yield { line, problem: 'This message is not JSON.' }
      const message = 'ts' in value ? messageOf(value, names) : null
      if (message) yield* log.say(line, message)
      if (!('ts' in value) && 'profile' in value)
        for (const record of personOf(value, names)) yield checked(line, record)
    },
    end: () => log.end(1),
  })
}

function personOf({ id, name, real_name: real, profile }: Members, names: Names): GraphRecord[] {
  const { email, display_name: display, real_name: shown } = membersOf(profile)
  const known = [real, shown, display, name].map(each => textOf(each).trim())
  const [own = ''] = known.filter(Boolean)
  const user = textOf(id)
  if (user === '' || own === '') return []
  names.set(user, own)
  const address = textOf(email).trim()
  const entity = idOf(user)
  return [
    ...(address === '' ? [] : personRecords({ name: own, address })),
    { kind: 'entity', id: entity, name: own, type: 'person' },
    ...known
      .slice(2)
      .filter(alias => alias !== '' && alias !== own)
      .map((alias): GraphRecord => ({ kind: 'alias', entity, alias })),
    ...(address === '' ? [] : [{ kind: 'same' as const, entity, sameAs: address.toLowerCase() }]),
  ]
}

function messageOf(message: Members, names: Names): ChatMessage | null {
  const { subtype, user, ts, username, files } = message
  if (ABOUT.test(textOf(subtype))) return null
  const profile = membersOf(message.user_profile)
  // Until 2018, the author of a comment on a file was in the comment.
  const id = textOf(user) || textOf(membersOf(message.comment).user)
  const who =
    textOf(profile.real_name) || textOf(profile.display_name) || names.get(id) || textOf(username) || id
  const written = readable(textOf(message.text), names)
  const inBlocks = textOfBlocks(message.blocks, names)
  // Messages of bots often have only a short fallback text.
  const isInBlocks = message.bot_id !== undefined && inBlocks.length > written.length
  const attached = objectsOf(files).map(({ name }) => textOf(name))
  const text = joined([
    written === '' || isInBlocks ? inBlocks : written,
    ...attachedTo(message, names),
    labelled('Attached', attached),
  ])
  const time = knownTime(Number.parseFloat(textOf(ts)) * 1000)
  return text === '' ? null : { who, person: id === '' ? undefined : idOf(id), text, time }
}

/** Attachments of bots, and forwarded messages. Attachments for links in the text are previews and left out. */
function attachedTo({ text, attachments }: Members, names: Names): string[] {
  return objectsOf(attachments)
    .filter(
      ({ is_share, is_msg_unfurl }) => is_share === true || is_msg_unfurl === true || textOf(text) === '',
    )
    .map(({ author_name, pretext, title, title_link, text: body, fallback, fields, blocks }) => {
      const heading = joined([title, title_link].map(textOf), ' ')
      const values = objectsOf(fields).map(({ title, value }) => joined([title, value].map(textOf), ': '))
      const whole = joined([textOf(pretext), heading, textOf(body), ...values, textOfBlocks(blocks, names)])
      const from = textOf(author_name)
      return readable(`${from === '' ? '' : `${from}:\n`}${whole || textOf(fallback)}`, names)
    })
    .slice(0, MAX_ATTACHED)
}

/** Converts Slack's markup (`<@U1>`, `<https://…|text>`) to readable text. */
const readable = (text: string, names: Names) =>
  text
    .replace(
      /<@([A-Z0-9]{1,30})(?:\|([^<>]{1,100}))?>/g,
      (_all, id: string, name?: string) => `@${names.get(id) ?? name ?? id}`,
    )
    .replace(/<#[A-Z0-9]{1,30}\|([^<>]{1,100})>/g, '#$1')
    .replace(/<!(?:subteam\^[A-Z0-9]{1,30}\|)?@?([^<>|]{1,100})(?:\|[^<>]{1,100})?>/g, '@$1')
    .replace(
      /<((?:https?|mailto):[^<>|]{1,2000})\|([^<>]{1,500})>/g,
      (_all, address: string, label: string) => (address.endsWith(label) ? address : `${label} (${address})`),
    )
    .replace(/<((?:https?|mailto):[^<>|]{1,2000})>/g, '$1')
    .replace(/<tel:[^<>|]{1,60}\|([^<>]{1,60})>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** Maximum nesting of blocks, and blocks of one message. */
const MAX_DEPTH = 8
const MAX_BLOCKS = 1_000

const blocksIn = (value: unknown) => listOf(value).slice(0, MAX_BLOCKS).map(membersOf)

/** The text of Slack's blocks (rich text and Block Kit) as Markdown. `names`: of people, by id. */
function textOfBlocks(blocks: unknown, names: Names, depth = 0): string {
  if (depth > MAX_DEPTH) return ''
  return joined(blocksIn(blocks).map(block => textOfBlock(block, names, depth)))
}

function textOfBlock(block: Members, names: Names, depth: number): string {
  const { type, elements, style, indent, rows } = block
  const inner = (of: unknown = elements) => textOfBlocks(of, names, depth + 1)
  const inLine = () =>
    blocksIn(elements)
      .map(each => textOfElement(each, names))
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
  const texts = [block.title, block, block.description, ...listOf(block.fields)]
    .map(each => membersOf(each).text)
    .map(text => textOf(membersOf(text).text) || textOf(text))
  return joined([...texts, textOf(block.alt_text)])
}

function textOfElement(element: Members, names: Names): string {
  const { type, text, url, user_id, range, name, fallback } = element
  if (type === 'link') return textOf(text) === '' ? textOf(url) : `${textOf(text)} (${textOf(url)})`
  if (type === 'user') return `@${names.get(textOf(user_id)) ?? textOf(user_id)}`
  if (type === 'broadcast') return `@${textOf(range)}`
  return type === 'emoji' ? `:${textOf(name)}:` : textOf(text) || textOf(fallback)
}
