import { codeOf } from '../shared/markdown-text.js'
import { pairs } from '../shared/pairs.js'
import type { OrgLinks } from './org-links.js'

// Every repetition is bounded, so reading is linear in the text.

/** What emphasis and code begin behind, and end before. */
const BEFORE = /[\s\-({'"\u201c\u2018\u2014\ue001*/_+]/
const BEHIND = /[\s\-.,:!?;'")}[\]\\\u201d\u2019\u2014\ue000*/_+]/

/** Marks of emphasis, and those of Markdown. */
const MARKS: Readonly<Record<string, string>> = { '*': '**', '/': '*', _: '*', '+': '~~' }
/** Characters of code or emphasis, and emphasis in emphasis. */
const MAX_LENGTH = 400
const MAX_DEPTH = 3

/** Where something may begin that is no plain text. */
const BEGIN = /[[=~<\\$@{]|\bsrc_|\b(?:https?|ftp):\/\//g

const LINK = /\[\[([^[\]]{1,1000})\](?:\[((?:[^\]]|\](?!\])){1,500})\])?\]/y
const TIME = /[<[](\d{4}-\d\d-\d\d[^<>[\]\n]{0,60})[>\]](?:--[<[](\d{4}-\d\d-\d\d[^<>[\]\n]{0,60})[>\]])?/y
const FOOTNOTE = /\[fn:([\w-]{1,60})\]/y
const INLINE_FOOTNOTE = /\[fn:[\w-]{0,60}:((?:[^[\]]|\[\[[^[\]]{1,300}\](?:\[[^[\]]{1,300}\])?\]){1,500})\]/y
const CITATION = /\[cite(?:\/[\w/-]{0,20})?:([^[\]]{1,300})\]/y
const PROGRAM = /src_[\w-]{1,30}(?:\[[^[\]]{0,200}\])?\{([^{}]{1,300})\}/y
const FORMULA = /\\\(([^\\]{1,300}(?:\\[^()\\][^\\]{0,100}){0,50})\\\)/y
const DISPLAYED = /\\\[([^\\]{1,300}(?:\\[^[\]\\][^\\]{0,100}){0,50})\\\]/y
const MARKDOWN_FORMULA = /\$\$[^$]{1,500}\$\$|\$[^$]{1,300}\$/y
const ADDRESS = /<([a-z][a-z+]{1,10}:[^<>\s]{1,1000})>/y
const URL = /(?:https?|ftp):\/\/[^\s<>[\]\ue000]{1,1000}/y
const TARGET = /<<(?:<([^<>\n]{1,100})>|[^<>\n]{1,100})>>/y
const SNIPPET = /@@[\w-]{1,20}:[^@]{0,300}@@/y
const MACRO = /\{\{\{([^{}\n]{1,300})\}\}\}/y
const ENTITY = /\\([A-Za-z]{2,15})(?:\{\})?/y

/** Names of characters that people write most. */
const ENTITIES = pairs(`to → rightarrow → Rightarrow ⇒ leftarrow ← Leftarrow ⇐ leftrightarrow ↔ alpha α beta β
  gamma γ delta δ epsilon ε theta θ lambda λ mu μ pi π rho ρ sigma σ tau τ phi φ omega ω Delta Δ Sigma Σ Omega Ω
  times × le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ infty ∞ deg ° ndash – mdash — hellip … dots … vert | slash /
  ast * plus + amp & copy © euro € sect § lt < gt > checkmark ✓ in ∈ cdot · bull •`)

/** What a piece of text becomes, and how long it is. `isText`: emphasis may begin or end in it. */
interface Piece {
  shown: string
  length: number
  isText?: true
}

/** A paragraph of Org mode, which may have several lines, as Markdown. */
export function orgText(text: string, links: OrgLinks): string {
  const source = text.replace(/[\ue000\ue001]/g, '')
  const pieces: string[] = []
  let [marked, at] = ['', 0]
  BEGIN.lastIndex = 0
  for (let found = BEGIN.exec(source); found; found = BEGIN.exec(source)) {
    const piece = pieceAt(source, found.index, links)
    if (piece) {
      const shown = piece.isText ? piece.shown : `\ue000${pieces.push(piece.shown) - 1}\ue001`
      marked += source.slice(at, found.index) + shown
      at = found.index + piece.length
    }
    BEGIN.lastIndex = Math.max(at, found.index + 1)
  }
  return emphasized(marked + source.slice(at), 0)
    .replace(/\\\\[ \t]{0,20}(?=\n|$)/g, '  ')
    .replace(/\ue000(\d{1,6})\ue001/g, (_, number: string) => pieces[Number(number)] ?? '')
}

function pieceAt(text: string, at: number, links: OrgLinks): Piece | null {
  // A description or a footnote is read with the same expressions.
  const next = BEGIN.lastIndex
  const read = (
    pattern: RegExp,
    shown: (found: readonly string[]) => string,
    isText?: true,
  ): Piece | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (!found) return null
    return {
      shown: shown(found.map(part => part ?? '')),
      length: found[0].length,
      ...(isText ? { isText } : {}),
    }
  }
  const piece = readAt(text, at, links, read)
  BEGIN.lastIndex = next
  return piece
}

function readAt(
  text: string,
  at: number,
  links: OrgLinks,
  read: (pattern: RegExp, shown: (found: readonly string[]) => string, isText?: true) => Piece | null,
): Piece | null {
  const time = ([, from = '', to]: readonly string[]) => timeText(from, to || undefined)
  switch (text[at]) {
    case '[':
      return (
        read(LINK, ([, target = '', shown = '']) => links.link(target, shownOf(shown, links))) ??
        read(TIME, time) ??
        read(FOOTNOTE, ([, name]) => `[^${name}]`) ??
        read(INLINE_FOOTNOTE, ([, said = '']) => `^[${orgText(said.trim(), links)}]`) ??
        read(CITATION, ([, keys = '']) => `(${keys.trim()})`)
      )
    case '<':
      return (
        read(TIME, time) ??
        read(TARGET, ([, radio = '']) => radio, true) ??
        read(ADDRESS, ([, address = '']) => address)
      )
    case '=':
    case '~':
      return codeAt(text, at)
    case '$':
      return read(MARKDOWN_FORMULA, ([all = '']) => all)
    case '@':
      return read(SNIPPET, () => '', true)
    case '{':
      return read(MACRO, ([, macro = '']) => macroText(macro))
    case '\\':
      return (
        read(FORMULA, ([, formula = '']) => `$${formula.trim()}$`) ??
        read(DISPLAYED, ([, formula = '']) => `$$${formula.trim()}$$`) ??
        read(ENTITY, ([all = '', name = '']) => (name === 'nbsp' ? ' ' : (ENTITIES.get(name) ?? all)), true)
      )
    case 's':
      return read(PROGRAM, ([, code = '']) => codeOf(code))
    default:
      return read(URL, ([all = '']) => all)
  }
}

/** `=code=` and `~code~` at this place. */
function codeAt(text: string, at: number): Piece | null {
  const end = endOf(text, at)
  return end < 0 ? null : { shown: codeOf(text.slice(at + 1, end)), length: end + 1 - at }
}

/** Where what a mark at this place begins ends, or -1 if nothing begins here. */
function endOf(text: string, at: number): number {
  const mark = text[at] ?? ''
  if (at > 0 && !BEFORE.test(text[at - 1] ?? '')) return -1
  if (/\s/.test(text[at + 1] ?? ' ') || text[at + 1] === mark) return -1
  const last = Math.min(text.length, at + MAX_LENGTH)
  for (let end = text.indexOf(mark, at + 2); end > 0 && end < last; end = text.indexOf(mark, end + 1)) {
    const behind = text[end + 1]
    if (!/\s/.test(text[end - 1] ?? ' ') && (behind === undefined || BEHIND.test(behind))) return end
  }
  return -1
}

function emphasized(text: string, depth: number): string {
  if (depth >= MAX_DEPTH) return text
  let [shown, from] = ['', 0]
  for (let at = 0; at < text.length; at++) {
    const mark = MARKS[text[at] ?? '']
    const end = mark === undefined ? -1 : endOf(text, at)
    if (end < 0) continue
    shown += `${text.slice(from, at)}${mark}${emphasized(text.slice(at + 1, end), depth + 1)}${mark}`
    from = end + 1
    at = end
  }
  return shown + text.slice(from)
}

/** A description of a link, in which a picture may be linked. */
function shownOf(shown: string, links: OrgLinks): string {
  if (shown === '') return ''
  if (/^(?:file:|\.{0,2}\/)\S{1,500}\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(shown))
    return links.link(shown, '')
  return orgText(shown, links)
}

/** `{{{name(text)}}}` shows what it is given; what it makes of that is not known. */
function macroText(macro: string): string {
  const at = macro.indexOf('(')
  const given = at > 0 && macro.endsWith(')') ? macro.slice(at + 1, -1).replaceAll('\\,', ',') : ''
  return given || `\`${macro.replaceAll('`', "'")}\``
}

const DAY = /^(\d{4}-\d\d-\d\d)(?:\s{1,3}[^\s\d+.-][^\s]{0,20})?/
const CLOCK = /\s(\d{1,2}:\d\d)(?:-(\d{1,2}:\d\d))?/
const REPEATS = /\+(\d{1,4}[hdwmy])/

/** `2024-05-03 Fri 10:00-11:00 +1w` as people read it; `to` is the end of a range. */
export function timeText(from: string, to?: string): string {
  if (to !== undefined) return `${timeText(from)} – ${timeText(to)}`
  const [all = '', day = from.trim()] = DAY.exec(from.trim()) ?? []
  const rest = from.trim().slice(all.length)
  const [, begins, ends] = CLOCK.exec(rest) ?? []
  const clock = begins === undefined ? '' : ` ${begins}${ends === undefined ? '' : `–${ends}`}`
  const [, every] = REPEATS.exec(rest) ?? []
  return `${day}${clock}${every === undefined ? '' : ` (every ${every})`}`
}
