import type { StateBlock, StateInline, Token } from 'markdown-it'
import { hiddenWords } from './hidden-words.js'

/** Adds words for programs. */
export function pushHidden(state: StateBlock | StateInline, text: string): void {
  const words = hiddenWords(text)
  if (words !== '') state.push('hidden_words', '', 0).content = words
}

interface Box {
  /** What its class says. */
  kind: string
  title: string
  line: number
  /** After its last line. */
  end: number
}

/** A box with a title, as callouts are. Its lines are read by `inside`. */
export function pushBox(state: StateBlock, { kind, title, line, end }: Box, inside: () => void): void {
  const open = state.push('blockquote_open', 'blockquote', 1)
  open.attrSet('class', `callout callout-${kind.toLowerCase().replace(/[^\w-]/g, '')}`)
  open.map = [line, end]
  if (title !== '') pushParagraph(state, title, line).attrSet('class', 'callout-title')
  inside()
  state.push('blockquote_close', 'blockquote', -1)
  state.line = end
}

/** Lines that are only held together; `inside` reads them. `end`: after the last one. */
export function pushGroup(state: StateBlock, end: number, inside: () => void): void {
  state.level++
  inside()
  state.level--
  state.line = end
}

/** A text as a paragraph, and its first token. `end`: after its last line. */
export function pushParagraph(state: StateBlock, content: string, line: number, end = line + 1): Token {
  const open = state.push('paragraph_open', 'p', 1)
  open.map = [line, end]
  Object.assign(state.push('inline', '', 0), { content, map: [line, end], children: [] })
  state.push('paragraph_close', 'p', -1)
  return open
}

interface Code {
  content: string
  /** The first line, and after the last one. */
  line: number
  end: number
}

/** Lines that are no Markdown: a formula, or what a program would read. */
export function pushCode(state: StateBlock, kind: 'math' | 'program', { content, line, end }: Code): void {
  const token = state.push('code_block', 'code', 0)
  token.content = `${content}\n`
  token.map = [line, end]
  token.attrSet('class', kind)
  state.line = end
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
  state.line = end
}

/** "warning" as a title: "Warning". */
export const titleOf = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase()
