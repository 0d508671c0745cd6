import type { MarkdownIt, StateInline } from 'markdown-it'
import { matchAt } from './rules.js'

/** The name of a property: `name:: value`, which takes a line, as Logseq and Dataview write it. */
const PROPERTY = /([a-z][\w-]{0,60}):: {1,3}(?=\S)/iy
/** The id of a block of Logseq, by which others refer to it: a place, and no text. */
const BLOCK_ID = /id:: {1,3}([0-9a-f]{8}-[0-9a-f-]{27})[ \t]*(?=\n|$)/iy
/** When a task is due: `SCHEDULED: <2026-05-31 Mon>`, as Org mode and Logseq write it. */
const DUE = /(SCHEDULED|DEADLINE|CLOSED): [<[]([^<>[\]\n]{1,60})[>\]]/y

/** What a line begins after. */
const BEFORE: ReadonlySet<string | undefined> = new Set([undefined, 'softbreak', 'hardbreak'])

/** Lines such as `alias:: Graph view`: the name is set apart, and one of its colons goes. */
export function properties(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('text', 'property', readProperty)
}

function readProperty(state: StateInline, silent: boolean): boolean {
  const { src, pos, tokens, pending } = state
  // What is skipped silently is read again.
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
