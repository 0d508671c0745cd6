import { parseDocument, visit } from 'yaml'
import { escapeHtml } from './escape.js'

/** Characters of front matter that are read as YAML; what is longer is shown as it stands. */
const MOST = 20_000

/** A document's front matter, the lines it takes, and the rest. */
interface FrontMatter {
  html: string
  lines: number
}

/** The properties at the beginning of a note as a list of terms. Null if the text begins with something else. */
export function frontMatter(text: string): FrontMatter | null {
  const begin = /^\ufeff?---[ \t]*\r?\n/.exec(text)?.[0]
  if (!begin) return null
  const end = /^(?:---|\.\.\.)[ \t]*$/m.exec(text.slice(begin.length))
  if (!end) return null
  const yaml = text.slice(begin.length, begin.length + end.index)
  const lines = text.slice(0, begin.length + end.index).split('\n').length
  return { html: yaml.length > MOST ? raw(yaml) : (properties(yaml) ?? raw(yaml)), lines }
}

const raw = (yaml: string) => (yaml.trim() === '' ? '' : `<pre class="properties">${escapeHtml(yaml)}</pre>`)

/** Null if it is no list of properties, or has anchors, with which a few lines become millions. */
function properties(yaml: string): string | null {
  const document = parseDocument(yaml, { strict: false, logLevel: 'silent' })
  let hasAlias = false
  visit(document, {
    Alias: () => {
      hasAlias = true
    },
  })
  if (document.errors.length > 0 || hasAlias) return null
  const values: unknown = document.toJS()
  if (values === null) return ''
  if (typeof values !== 'object' || Array.isArray(values)) return null
  const rows = Object.entries(values).map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(valueText(value))}</dd>`,
  )
  return rows.length === 0 ? '' : `<dl class="properties">${rows.join('')}</dl>`
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
