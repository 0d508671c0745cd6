import { matchAt } from '../../syntax/index.js'
import { codeOf, converted } from '../shared/markdown-text.js'
import { pairs } from '../shared/pairs.js'
import type { OrgLinks } from './org-links.js'

// Every repetition is bounded, so reading is linear in the text.

/** Characters before and after emphasis and code. */
const BEFORE = /[\s\-({'"\u201c\u2018\u2014\ue001*/_+]/
const BEHIND = /[\s\-.,:!?;'")}[\]\\\u201d\u2019\u2014\ue000*/_+]/

/** Emphasis marks and their Markdown equivalents. */
const MARKS: Readonly<Record<string, string>> = { '*': '**', '/': '*', _: '*', '+': '~~' }
/** Maximum characters of code or emphasis, and nesting of emphasis. */
const MAX_LENGTH = 400
const MAX_DEPTH = 3

/** Characters that may begin markup. */
const BEGIN = /[[=~<\\$@{]|\bsrc_|\b(?:https?|ftp):\/\//g

/** The most common named characters. */
const ENTITIES = pairs(`to → rightarrow → Rightarrow ⇒ leftarrow ← Leftarrow ⇐ leftrightarrow ↔ alpha α beta β
  gamma γ delta δ epsilon ε theta θ lambda λ mu μ pi π rho ρ sigma σ tau τ phi φ omega ω Delta Δ Sigma Σ Omega Ω
  times × le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ infty ∞ deg ° ndash – mdash — hellip … dots … vert | slash /
  ast * plus + amp & copy © euro € sect § lt < gt > checkmark ✓ in ∈ cdot · bull •`)

/** Markup and its Markdown form. `isText`: emphasis may begin or end in it. */
interface OrgRule {
  pattern: RegExp
  say(found: readonly string[], links: OrgLinks): string
  isText?: true
}

const all = ([all = '']: readonly string[]) => all
const first = ([, first = '']: readonly string[]) => first.trim()

const RULES: readonly OrgRule[] = [
  {
    pattern: /\[\[([^[\]]+)\](?:\[((?:[^\]]|\](?!\])){1,300})\])?\]/y,
    say: ([, target = '', shown = ''], links) => links.link(target, shownOf(shown, links)),
  },
  {
    pattern: /[<[](\d{4}-\d\d-\d\d[^<>[\]\n]{0,60})[>\]](?:--[<[](\d{4}-\d\d-\d\d[^<>[\]\n]{0,60})[>\]])?/y,
    say: ([, from = '', to]) => timeText(from, to),
  },
  // Footnotes, also where they are referred to.
  { pattern: /\[fn:([\w-]{1,60})\]/y, say: ([, name]) => `[^${name}]` },
  {
    pattern: /\[fn:[\w-]{0,60}:((?:[^[\]]|\[\[[^[\]]{1,300}\](?:\[[^[\]]{1,300}\])?\]){1,500})\]/y,
    say: (found, links) => `^[${orgText(first(found), links)}]`,
  },
  { pattern: /\[cite(?:\/[\w/-]{0,20})?:([^[\]]{1,300})\]/y, say: found => `(${first(found)})` },
  { pattern: /<<(?:<([^<>\n]{1,100})>|[^<>\n]{1,100})>>/y, say: ([, radio = '']) => radio, isText: true },
  { pattern: /<([a-z][a-z+]{1,10}:[^<>\s]{1,1000})>/y, say: first },
  { pattern: /\$\$[^$]{1,500}\$\$|\$[^$]{1,300}\$/y, say: all },
  { pattern: /@@[\w-]{1,20}:[^@]{0,300}@@/y, say: () => '', isText: true },
  { pattern: /\{\{\{([^{}\n]{1,300})\}\}\}/y, say: ([, macro = '']) => macroText(macro) },
  // Formulas, in a line and displayed.
  {
    pattern: /\\\(([^\\]{1,300}(?:\\[^()\\][^\\]{0,100}){0,50})\\\)/y,
    say: found => `$${first(found)}$`,
  },
  {
    pattern: /\\\[([^\\]{1,300}(?:\\[^[\]\\][^\\]{0,100}){0,50})\\\]/y,
    say: found => `$$${first(found)}$$`,
  },
  { pattern: /\\([A-Za-z]{2,15})(?:\{\})?/y, say: entity, isText: true },
  { pattern: /src_[\w-]{1,30}(?:\[[^[\]]{0,200}\])?\{([^{}]{1,300})\}/y, say: found => codeOf(first(found)) },
  { pattern: /(?:https?|ftp):\/\/[^\s<>[\]\ue000]{1,1000}/y, say: all },
]

/** Converts an Org mode paragraph, which may have several lines, to Markdown. */
export function orgText(text: string, links: OrgLinks): string {
  const source = text.replace(/[\ue000\ue001]/g, '')
  const pieces: string[] = []
  const marked = converted(source, BEGIN, at => {
    const piece = pieceAt(source, at, links)
    if (piece && !piece.isText) piece.shown = `\ue000${pieces.push(piece.shown) - 1}\ue001`
    return piece
  })
  return emphasized(marked, 0)
    .replace(/\\\\[ \t]{0,20}(?=\n|$)/g, '  ')
    .replace(/\ue000(\d{1,6})\ue001/g, (_, number: string) => pieces[Number(number)] ?? '')
}

/** The markup at an offset, converted, and the length of its source. */
function pieceAt(text: string, at: number, links: OrgLinks) {
  if (text[at] === '=' || text[at] === '~') return codeAt(text, at)
  for (const { pattern, say, isText } of RULES) {
    const found = matchAt(pattern, text, at)
    if (found) return { shown: say(found, links), length: found[0].length, isText }
  }
  return null
}

/** Parses `=code=` or `~code~` at this position. */
function codeAt(text: string, at: number) {
  const end = endOf(text, at)
  return end < 0 ? null : { shown: codeOf(text.slice(at + 1, end)), length: end + 1 - at, isText: undefined }
}

/** The end of the marked text that begins here, or -1. */
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
  return converted(text, /[*/_+]/g, at => {
    const [mark, end] = [MARKS[text[at] ?? ''], endOf(text, at)]
    if (end < 0) return null
    const shown = `${mark}${emphasized(text.slice(at + 1, end), depth + 1)}${mark}`
    return { shown, length: end + 1 - at }
  })
}

function entity([all = '', name = '']: readonly string[]): string {
  return name === 'nbsp' ? ' ' : (ENTITIES.get(name) ?? all)
}

/** The description of a link; it may contain a linked picture. */
function shownOf(shown: string, links: OrgLinks): string {
  if (shown === '') return ''
  if (/^(?:file:|\.{0,2}\/)\S{1,500}\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(shown))
    return links.link(shown, '')
  return orgText(shown, links)
}

/** Shows the arguments of a macro, `{{{name(text)}}}`; its expansion is unknown. */
function macroText(macro: string): string {
  const at = macro.indexOf('(')
  const given = at > 0 && macro.endsWith(')') ? macro.slice(at + 1, -1).replaceAll('\\,', ',') : ''
  return given || `\`${macro.replaceAll('`', "'")}\``
}

const DAY = /^(\d{4}-\d\d-\d\d)(?:\s{1,3}[^\s\d+.-][^\s]{0,20})?/
const CLOCK = /\s(\d{1,2}:\d\d)(?:-(\d{1,2}:\d\d))?/
const REPEATS = /\+(\d{1,4}[hdwmy])/

/** `2024-05-03 Fri 10:00-11:00 +1w` in readable form; `to` is the end of a range. */
export function timeText(from: string, to?: string): string {
  if (to !== undefined) return `${timeText(from)} – ${timeText(to)}`
  const [all = '', day = from.trim()] = DAY.exec(from.trim()) ?? []
  const rest = from.trim().slice(all.length)
  const [, begins, ends] = CLOCK.exec(rest) ?? []
  const clock = begins === undefined ? '' : ` ${begins}${ends === undefined ? '' : `–${ends}`}`
  const [, every] = REPEATS.exec(rest) ?? []
  return `${day}${clock}${every === undefined ? '' : ` (every ${every})`}`
}
