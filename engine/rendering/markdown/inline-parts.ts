import type { StateInline } from 'markdown-it'

/** Reads a part of a line as Markdown. Whoever calls sets where to go on. */
export function tokenizePart(state: StateInline, from: number, to: number): void {
  const { posMax } = state
  state.pos = from
  state.posMax = to
  state.md.inline.tokenize(state)
  state.posMax = posMax
}

/** A part that is no Markdown: a formula, or what a program would read. */
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
