import type { StateBlock, StateInline, Token } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import type { Found } from './rules.js'

/** Adds words for programs. */
export function pushHidden(state: StateBlock | StateInline, text: string): void {
  const words = hiddenWords(text)
  if (words !== '') state.push('hidden_words', '', 0).content = words
}

interface Box {
  /** The kind, part of its class. */
  kind: string
  title: string
  line: number
  /** The line after it. */
  end: number
}

/** Adds a box with a title, such as a callout. `inside` adds its content. */
export function pushBox(state: StateBlock, { kind, title, line, end }: Box, inside: () => void): void {
  const open = state.push('blockquote_open', 'blockquote', 1)
  open.attrSet('class', `callout callout-${kind.toLowerCase().replace(/[^\w-]/g, '')}`)
  open.map = [line, end]
  if (title !== '') pushParagraph(state, title, line).attrSet('class', 'callout-title')
  inside()
  state.push('blockquote_close', 'blockquote', -1)
}

/** Adds a group without a title. `inside` adds its content. */
export function pushGroup(state: StateBlock, inside: () => void): void {
  state.level++
  inside()
  state.level--
}

/** Adds a text as a paragraph and returns its first token. `end`: the line after it. */
export function pushParagraph(state: StateBlock, content: string, line: number, end = line + 1): Token {
  const open = state.push('paragraph_open', 'p', 1)
  open.map = [line, end]
  Object.assign(state.push('inline', '', 0), { content, map: [line, end], children: [] })
  state.push('paragraph_close', 'p', -1)
  return open
}

interface Code {
  content: string
  /** The first line, and the line after the last one. */
  line: number
  end: number
}

/** Adds lines that are not Markdown: a formula, a drawn table, or text for a program. */
export function codeFound(
  state: StateBlock,
  kind: 'math' | 'program' | 'drawn',
  { content, line, end }: Code,
): Found {
  const push = () => {
    const token = state.push('code_block', 'code', 0)
    token.content = `${content}\n`
    token.map = [line, end]
    token.attrSet('class', kind)
  }
  return { end, push }
}

/** Adds a part of a line that is not Markdown: a formula, or text for a program. */
export function pushInlineCode(state: StateInline, kind: 'math' | 'program', content: string): void {
  const token = state.push('code_inline', 'code', 0)
  token.content = content
  token.attrSet('class', kind)
}

/** An address as a link to itself. */
export function pushAddress(state: StateInline, address: string): void {
  state.push('link_open', 'a', 1).attrSet('href', address)
  state.push('text', '', 0).content = address
  state.push('link_close', 'a', -1)
}

/** The lines between `line` and `last` as code in a language. `end`: after the block. */
export function pushFence(
  state: StateBlock,
  language: string,
  line: number,
  last: number,
  end = last + 1,
): void {
  const token = state.push('fence', 'code', 0)
  token.content = state.getLines(line + 1, last, state.blkIndent, true)
  token.info = language
  token.map = [line, end]
}

/** "warning" as a title: "Warning". */
export const titleOf = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase()

/** The words of text for programs, without punctuation; empty if there are none. */
export function hiddenWords(text: string): string {
  const words = text.replace(/[^\p{L}\p{N}\p{M}\s"'=._#-]/gu, ' ').trim()
  return /[\p{L}\p{N}]/u.test(words) ? words : ''
}

/** Hidden words: the page contains every word of a document. */
export const hiddenHtml = (words: string): string =>
  words === '' ? '' : `<span hidden>${escapeHtml(` ${words} `)}</span>`
