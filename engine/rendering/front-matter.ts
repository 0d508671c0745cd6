import { isMap, isNode, isScalar, type Pair, parseDocument, visit } from 'yaml'
import { escapeHtml } from '../../platform/common/escape-html.js'
import { TomlLines } from '../../platform/common/toml-lines.js'
import { keepLinks } from '../../platform/common/yaml-links.js'
import { FRONT_MATTER, hasProperty } from '../syntax/index.js'

/** Maximum characters of front matter that are parsed as YAML; longer ones are shown as text. */
const MAX = 20_000

/** A document's front matter, the lines it takes, and the rest. */
interface FrontMatter {
  /** Its properties; `html` renders each with `show`. */
  values: readonly string[]
  html: (show: (value: string) => string) => string
  lines: number
}

/** An entry of the properties: a name with its value, or a comment. */
type Row = { name: string; value: string } | { comment: string }

type Comment = string | null | undefined

const BEGIN = /^\ufeff?(---|\+\+\+)[ \t]*\r?\n/

/**
 * The properties at the beginning of a note as a list of terms, also those in TOML, which Hugo and Zola write between `+++`. Null if the text begins with something else, such as a paragraph between two rules.
 */
export function frontMatter(text: string): FrontMatter | null {
  const [begin = '', mark = ''] = BEGIN.exec(text) ?? []
  const end = FRONT_MATTER.get(mark)?.exec(text.slice(begin.length))
  if (!end) return null
  const inner = text.slice(begin.length, begin.length + end.index)
  const lines = text.slice(0, begin.length + end.index).split('\n').length
  const yaml = mark === '---' ? inner : yamlOf(inner)
  const rows = yaml !== null && yaml.length <= MAX ? rowsOf(yaml) : null
  if (mark === '---' && rows === null && !hasProperty(inner)) return null
  return {
    values: (rows ?? []).flatMap(row => ('value' in row ? [row.value] : [])),
    html: show => (rows ? listHtml(rows, show) : raw(inner)),
    lines,
  }
}

/** TOML as YAML, or null if YAML would read a part differently. */
function yamlOf(toml: string): string | null {
  const lines = new TomlLines()
  const all = toml.split('\n').map(line => lines.next(line))
  return all.includes(null) ? null : all.join('\n')
}

const raw = (yaml: string) => (yaml.trim() === '' ? '' : `<pre class="properties">${escapeHtml(yaml)}</pre>`)

/** Null if it is not a list of properties, or has anchors, which can turn a few lines into millions. */
function rowsOf(yaml: string): Row[] | null {
  const document = parseDocument(yaml, { strict: false, logLevel: 'silent' })
  let hasAlias = false
  visit(document, {
    Alias: () => {
      hasAlias = true
    },
  })
  if (document.errors.length > 0 || hasAlias) return null
  const { contents } = document
  const pairs = isMap(contents) ? contents.items : []
  const comments = new Map(pairs.map(pair => [nameOf(pair), commentsOf(pair)]))
  keepLinks(document, yaml)
  const values: unknown = document.toJS()
  if (typeof values !== 'object' || Array.isArray(values)) return null
  const rows = Object.entries(values ?? {}).flatMap(([name, value]) => {
    const [before, ...inside] = comments.get(name) ?? []
    return [...commentRows(before), { name, value: valueText(value) }, ...commentRows(...inside)]
  })
  return [
    ...commentRows(document.commentBefore, contents?.commentBefore),
    ...rows,
    ...commentRows(document.comment),
  ]
}

const nameOf = ({ key }: Pair) => String(isScalar(key) ? key.value : key)

/** The comments before a property, and in and after its value. */
function commentsOf({ key, value }: Pair): Comment[] {
  const comments: Comment[] = []
  for (const node of [key, value].filter(isNode))
    visit(node, { Node: (_, { comment, commentBefore }) => void comments.push(commentBefore, comment) })
  return comments
}

const commentRows = (...comments: Comment[]): Row[] =>
  comments.flatMap(comment => (comment ? [{ comment: comment.trim() }] : []))

function listHtml(rows: readonly Row[], show: (value: string) => string): string {
  const items = rows.map(row =>
    'comment' in row
      ? `<dt></dt><dd class="comment">${escapeHtml(row.comment)}</dd>`
      : `<dt>${escapeHtml(row.name)}</dt><dd>${show(row.value)}</dd>`,
  )
  return items.length === 0 ? '' : `<dl class="properties">${items.join('')}</dl>`
}

function valueText(value: unknown): string {
  if (value === null) return ''
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, inner]) => `${name}: ${valueText(inner)}`)
    .join(', ')
}
