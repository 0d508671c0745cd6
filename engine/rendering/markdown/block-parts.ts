import type { StateBlock, StateInline, Token } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import type { Found } from './rules.js'

/** Adds words for programs. */
export function pushHidden(state: StateBlock | StateInline, text: string): void {
  const words = hiddenWords(text)
  if (words !== '') state.push('hidden_words', '', 0).content = words
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
