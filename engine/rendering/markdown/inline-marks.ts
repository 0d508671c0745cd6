import type { MarkdownIt, StateInline } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import { BLOCK_UUID, matchAt } from '../../syntax/index.js'
import { type FoundMarkup, inlineRule, showTokens, tokenizePart } from './rules.js'

/** Maximum characters between two marks. */
const MAX_LENGTH = 1000

/** `==highlighted==` text and `%%comments%%`, as Obsidian writes them, and `^^highlighted^^` as in Logseq. All stay readable. */
export function marks(markdown: MarkdownIt): void {
  between(markdown, 'highlight', '==', 'mark')
  between(markdown, 'logseq_highlight', '^^', 'mark')
  between(markdown, 'comment', '%%', 'span', 'comment')
}

function between(markdown: MarkdownIt, name: string, mark: string, tag: string, kind = ''): void {
  inlineRule(
    markdown,
    name,
    mark.charAt(0),
    (state, at) => {
      const from = at + mark.length
      const rest = state.src.startsWith(mark, at) ? state.src.slice(from, from + MAX_LENGTH) : ''
      const inner = rest.slice(0, Math.max(0, rest.indexOf(mark)))
      if (inner.trim() === '') return null
      // A comment may take several lines.
      if (kind === '' && (inner.includes('\n') || inner !== inner.trim())) return null
      const push = () => {
        const open = state.push(`${tag}_open`, tag, 1)
        if (kind !== '') open.attrSet('class', kind)
        tokenizePart(state, from, from + inner.length)
        state.push(`${tag}_close`, tag, -1)
      }
      return { end: from + inner.length + mark.length, push }
    },
    'emphasis',
  )
}

/** `:material-check:`: an icon set, a name and sometimes a size. */
const ICON =
  /:((?:material|octicons|fontawesome|simple|lucide)-(?:(?:brands|regular|solid)-)?)([a-z0-9-]{1,80}?)(-\d\d)?:/y

/** Icons of MkDocs: their name, because the icons are not part of the file. */
export function icons(markdown: MarkdownIt): void {
  inlineRule(markdown, 'icon', ':', (state, at) => {
    const found = matchAt(ICON, state.src, at)
    const push = () => Object.assign(state.push('icon', '', 0), { meta: found })
    return found && { end: at + found[0].length, push }
  })
  showTokens(markdown, { icon: ({ meta }) => iconHtml(meta as unknown as string[]) })
}

const iconHtml = ([, set = '', name = '', size = '']: readonly string[]) =>
  `<span class="image">${hidden(set)}${escapeHtml(name)}${hidden(size)}</span>`

const hidden = (text: string) => (text === '' ? '' : `<span hidden>${escapeHtml(text)}</span>`)

/** `^name` at the end of a line. */
const NAME = /\^([\w-]{1,60})[ \t]*(?=\n|$)/iy

/** The id of a block in the page. */
export const blockId = (name: string): string => `b-${name.toLowerCase().slice(0, 60)}`

/** Block ids of Obsidian: an anchor without visible text. */
export function blockIds(markdown: MarkdownIt): void {
  inlineRule(markdown, 'block_id', '^', readName)
  showTokens(markdown, {
    block_id: ({ content }) => `<span id="${escapeHtml(blockId(content))}">${hidden(content)}</span>`,
  })
}

function readName(state: StateInline, at: number): FoundMarkup | null {
  const { src, pending, tokens } = state
  // There may be no space after an embed.
  const isBehind = pending === '' && tokens.at(-1)?.type === 'wikilink'
  const found = isBehind || /^\s?$/.test(src[at - 1] ?? '') ? matchAt(NAME, src, at) : null
  const push = () => Object.assign(state.push('block_id', '', 0), { content: found?.[1] })
  return found && { end: at + found[0].length, push }
}

/** The name of a property on its own line, `name:: value`, as in Logseq and Dataview. */
const PROPERTY = /([a-z][\w-]{0,60}):: {1,3}(?=\S)/iy
/** The id of a Logseq block: an anchor without visible text. */
const BLOCK_ID = new RegExp(`id:: {1,3}(${BLOCK_UUID})[ \\t]*(?=\\n|$)`, 'iy')
/** The date of a task: `SCHEDULED: <2026-05-31 Mon>`, as in Org mode and Logseq. */
const DUE = /(SCHEDULED|DEADLINE|CLOSED): [<[]([^<>[\]\n]{1,60})[>\]]/y

/** Markers before the text of a line. */
const BEFORE: ReadonlySet<string | undefined> = new Set([undefined, 'softbreak', 'hardbreak'])

/** Lines such as `alias:: Graph view`: the name is emphasized, with one colon. */
export function properties(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('text', 'property', readProperty)
}

function readProperty(state: StateInline, silent: boolean): boolean {
  const { src, pos, tokens, pending } = state
  // The silent pass is followed by a second one.
  if (silent || pending !== '' || !BEFORE.has(tokens.at(-1)?.type)) return false
  const [all, name, value] = matchAt(PROPERTY, src, pos) ?? matchAt(DUE, src, pos) ?? []
  if (all === undefined) return false
  const [own, id = ''] = matchAt(BLOCK_ID, src, pos) ?? []
  state.pos += (own ?? all).length
  if (own !== undefined) state.push('block_id', '', 0).content = id
  else {
    state.push('property_open', 'span', 1).attrSet('class', 'property')
    state.push('text', '', 0).content = `${name}:`
    state.push('property_close', 'span', -1)
    state.push('text', '', 0).content = ` ${value ?? ''}`
  }
  return true
}
