import { matchAt } from '../../syntax/index.js'
import { codeOf, converted, wikilink } from '../shared/markdown-text.js'

type Inner = (text: string) => string

/** Markup that begins with one of some characters, and its Markdown form. */
interface WikitextRule {
  first: string
  pattern: RegExp
  say(found: readonly string[], inner: Inner): string
}

/** Beginnings of markup that differs from Markdown. */
const NEXT = /[`<[{'/_^,@~*]|\bhttps?:|\b[A-Z][a-z]{1,60}[A-Z]/g
const ADDRESS = /^(?:https?|mailto|file):/i
/** Characters that are not allowed in file names; TiddlyWiki writes `_` instead. */
const NO_NAME = /[<>~:"|?*^/\\]/g
const SPACED_ELEMENT = /^<\/?(?:td|th|br|p|li)\b/

const keep = ([all = '']: readonly string[]) => all
const code = ([all = '']: readonly string[]) => codeOf(all)
const around = (mark: string, said: string, inner: Inner) =>
  said.trim() === said ? `${mark}${inner(said)}${mark}` : inner(said)
/** Elements have no equivalent in Markdown. */
const element = ([all = '']: readonly string[]) => (SPACED_ELEMENT.test(all) ? ' ' : '')

const RULES: readonly WikitextRule[] = [
  { first: '`', pattern: /``[^`]{1,1000}``|`[^`]{1,1000}`/y, say: keep },
  { first: 'h', pattern: /https?:\/\/[^\s<>"'\]|]{1,1000}/y, say: keep },
  { first: '<', pattern: /<img\b[^<>]{0,500}>/y, say: keep },
  {
    first: '<',
    pattern: /<\$link\s{1,9}to="([^"]{1,300})"\s{0,9}>([^<]{1,300})<\/\$link>/y,
    say: ([, title = '', text]) => linkTo(title, text),
  },
  {
    first: '<',
    pattern: /<a\s[^<>]{0,300}?href="(https?:[^"]{1,500})"[^<>]{0,300}>([^<]{1,300})<\/a>/y,
    // Links cannot be nested.
    say: ([, href, text = ''], inner) => (text.includes('[') ? inner(text) : `[${text}](<${href}>)`),
  },
  // Program output, which is unknown: macros, widgets, filters.
  { first: '<', pattern: /<<(?:[^<>"]|"[^"]{0,500}"){1,500}>>/y, say: code },
  { first: '<', pattern: /<\$[\w.-]{1,60}(?:[^<>"]|"[^"]{0,500}"|<<[^<>]{0,300}>>){0,500}>/y, say: code },
  { first: '<', pattern: /<\/\$?[\w.-]{1,60}>/y, say: element },
  {
    first: '<',
    pattern: /<[a-z][\w-]{0,30}(?:\s(?:[^<>"]|"[^"]{0,500}"|<<[^<>]{0,300}>>){0,500})?>/y,
    say: element,
  },
  { first: '{', pattern: /\{\{\{[^{}]{1,500}(?:\{[^{}]{0,200}\}[^{}]{0,200}){0,9}\}\}\}/y, say: code },
  {
    first: '{',
    pattern: /\{\{([^{}]{1,300})\}\}/y,
    say: ([all = '', title = '']) => (/\|\||!!|##/.test(title) ? codeOf(all) : `!${linkTo(title)}`),
  },
  {
    first: '[',
    pattern: /\[img[^[\]]{0,200}\[([^[\]]{1,500})\]\]/y,
    say: ([, text = '']) => pictureOf(text),
  },
  { first: '[', pattern: /\[ext[^[\]]{0,200}\[([^[\]]{1,500})\]\]/y, say: ([, text = '']) => linkOf(text) },
  // `~Word` prevents a link.
  { first: '~', pattern: /~(?=\$:\/)/y, say: () => '' },
  { first: '~', pattern: /~([A-Z]\w{0,100})/y, say: ([, text = '']) => text },
  { first: '*', pattern: /\*/y, say: () => '\\*' },
  { first: '_', pattern: /(?<!\w)_|_(?!\w)/y, say: () => '\\_' },
]

/** Paired marks. Addresses contain slashes as well. */
const PAIRS: Readonly<Record<string, { end: string; say: WikitextRule['say'] }>> = {
  '[[': {
    end: ']]',
    // Filters contain brackets as well.
    say: ([all = '', text = '']) => (/[[\]]/.test(text) && !text.includes('|') ? all : linkOf(text)),
  },
  "''": { end: "''", say: ([, text = ''], inner) => around('**', text, inner) },
  '//': { end: '//', say: ([, text = ''], inner) => around('*', text, inner) },
  __: { end: '__', say: ([, text = ''], inner) => `<u>${inner(text)}</u>` },
  '^^': { end: '^^', say: ([, text = ''], inner) => `<sup>${inner(text)}</sup>` },
  ',,': { end: ',,', say: ([, text = ''], inner) => `<sub>${inner(text)}</sub>` },
  '<!': { end: '-->', say: keep },
  '@@': { end: '@@', say: ([, text = ''], inner) => styled(text, inner) },
}
/** Maximum characters between two marks. */
const MAX_LENGTH = 1_000
const WORD = /[A-Z][a-z]{1,60}(?:[A-Z][a-z]{1,60}){1,9}(?!\w)/y

/** Converts a line of wikitext to Markdown. `isNote`: whether a note has this title; then a CamelCase word links to it. */
export function wikitextLine(text: string, isNote: (title: string) => boolean): string {
  const inner = (said: string) => wikitextLine(said, isNote)
  return converted(text, NEXT, at => {
    const [word] = matchAt(WORD, text, at) ?? []
    if (word !== undefined) return { shown: isNote(word) ? `[[${word}]]` : word, length: word.length }
    const { found, say } = pairAt(text, at) ?? ruleAt(text, at) ?? {}
    return found && say ? { shown: say(found, inner), length: found[0].length } : null
  })
}

function ruleAt(text: string, at: number) {
  for (const { first, pattern, say } of RULES) {
    const found = text[at] === first ? matchAt(pattern, text, at) : null
    if (found) return { found, say }
  }
  return null
}

function pairAt(text: string, at: number) {
  const { end, say } = PAIRS[text.slice(at, at + 2)] ?? {}
  if (end === undefined || say === undefined) return null
  const within = text.slice(at + 2, at + 2 + MAX_LENGTH)
  let to = within.indexOf(end)
  while (end === '//' && to > 0 && within[to - 1] === ':') to = within.indexOf(end, to + 2)
  return to < 1
    ? null
    : { say, found: [text.slice(at, at + 2 + to + end.length), within.slice(0, to)] as [string, string] }
}

/** Text with a class or styles, which are dropped; without them it is highlighted. */
function styled(text: string, inner: Inner): string {
  const said = text.replace(/^(?:\.[\w.-]{1,60}\s|[\w-]{1,60}:[^;]{1,100};){1,9}/, '')
  return said === text ? around('==', said, inner) : inner(said)
}

/** Reads `label|target`, or a target alone. */
function linkOf(text: string): string {
  const at = text.lastIndexOf('|')
  const [label, target] = at === -1 ? [undefined, text] : [text.slice(0, at), text.slice(at + 1)]
  if (!ADDRESS.test(target)) return linkTo(target, label)
  return label === undefined ? `<${target}>` : `[${label}](<${target}>)`
}

/** A link to the tiddler's file, which is named after its title. */
function linkTo(title: string, label = title): string {
  const name = title.trim().replace(NO_NAME, '_')
  if (/[`[\]]/.test(label)) return `[${label}](<${name}>)`
  return wikilink(name, label)
}

function pictureOf(text: string): string {
  const at = text.lastIndexOf('|')
  const [description, source] = at === -1 ? ['', text] : [text.slice(0, at), text.slice(at + 1)]
  return ADDRESS.test(source) ? `![${description}](<${source}>)` : `!${linkTo(source, description || source)}`
}
