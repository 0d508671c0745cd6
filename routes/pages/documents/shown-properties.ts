import { escapeHtml } from '../../../platform/common/escape-html.js'

/** Properties that the page may show beside the title. */
const BESIDE_TITLE = /<dt>(?:title|date|created|tags?)<\/dt><dd>([^<]*)<\/dd>/gi
const LIST = '<dl class="properties">'

/** A rendered document, and what its page shows beside the title. */
interface DocumentHeadline {
  html: string
  title: string
  tags: readonly string[]
  /** Milliseconds since 1970. */
  time: number | null
}

/** The text of a document, and its properties, without those that repeat its title, date and tags. */
export function splitProperties({ html, title, tags, time }: DocumentHeadline): {
  html: string
  properties: string
} {
  const from = html.indexOf(LIST)
  if (from < 0) return { html, properties: '' }
  const to = html.indexOf('</dl>', from) + '</dl>'.length
  const day = time === null ? [] : [new Date(time).toISOString().slice(0, 10)]
  const shown = new Set([title, ...tags, ...day].map(text => escapeHtml(text).toLowerCase()))
  const isShown = (one: string) => shown.has(one) || shown.has(one.slice(0, 10))
  const keep = (row: string, values: string) => (values.toLowerCase().split(', ').every(isShown) ? '' : row)
  const list = html.slice(from, to).replace(BESIDE_TITLE, keep)
  return {
    html: html.slice(0, from) + html.slice(to),
    properties: list.includes('<dt>') ? list : '',
  }
}
