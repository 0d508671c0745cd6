import { escapeHtml } from '../../platform/common/escape-html.js'
import type { ParsedDocument, PassagePlace } from './article.js'
import { parseMarkdown } from './markdown/markdown.js'

/** The first line of a message, as written by `engine/formats/chats/chats.ts`: the author and the time. */
const MESSAGE = /^### (.+?)(?: · (\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?))?$/

interface ShownMessage {
  who: string
  time: string
  /** Its first line, counted from 1. */
  line: number
  text: string
}

/** A conversation, message by message. */
export function parseChat(text: string): ParsedDocument {
  const messages = messagesOf(text).map(message => ({ ...message, parsed: parseMarkdown(message.text) }))
  const first = messages.find(({ who }) => who !== '')?.who
  return {
    targets: [...new Set(messages.flatMap(({ parsed }) => parsed.targets))],
    render: ({ resolve, passages }) => ({
      html: messages
        .map(({ parsed, ...message }) => {
          const { html } = parsed.render({ resolve, passages: [] })
          return messageHtml(message, message.who === first, placesIn(message, passages), html)
        })
        .join('\n'),
      outline: [],
      hasTitle: false,
    }),
  }
}

function messagesOf(text: string): ShownMessage[] {
  const messages: ShownMessage[] = [{ who: '', time: '', line: 1, text: '' }]
  for (const [at, line] of text.split('\n').entries()) {
    const [, who, time = ''] = MESSAGE.exec(line) ?? []
    const last = messages.at(-1)
    if (who !== undefined) messages.push({ who, time, line: at + 1, text: '' })
    else if (last) last.text += `${line}\n`
  }
  return messages.filter(({ who, text }) => who !== '' || text.trim() !== '')
}

const placesIn = ({ line, text }: ShownMessage, passages: readonly PassagePlace[]) =>
  passages.filter(place => place.line >= line && place.line < line + text.split('\n').length)

function messageHtml(
  { who, time }: ShownMessage,
  isFirst: boolean,
  places: readonly PassagePlace[],
  html: string,
): string {
  const [place, ...others] = places.map(({ id }) => `p-${escapeHtml(id)}`)
  const id = place ? ` id="${place}"` : ''
  const read = places.some(({ isRead }) => isRead) ? ' read' : ''
  const anchors = others.map(other => `<span id="${other}"></span>`).join('')
  const when = time
    ? ` <time datetime="${escapeHtml(time.replace(' ', 'T'))}">${escapeHtml(time)}</time>`
    : ''
  const head = who === '' ? '' : `<p class="who"><b>${escapeHtml(who)}</b>${when}</p>`
  return `<section class="place message${isFirst ? ' asks' : ''}${read}"${id}>${anchors}${head}${html}</section>`
}
