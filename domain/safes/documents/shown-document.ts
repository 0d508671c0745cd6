import type { DocumentPage } from './reading.js'

/** A page of a document as JSON. */
export interface ShownDocument {
  path: string
  title: string
  date?: string
  tags?: string[]
  /** Headings, indented by their level. */
  outline?: string[]
  text: string
}

/** The metadata of the document, and the text of the page. */
export const shownDocument = ({ document, outline, text }: DocumentPage): ShownDocument => ({
  path: document.path,
  title: document.title,
  ...(document.time === null ? {} : { date: new Date(document.time).toISOString().slice(0, 10) }),
  ...(document.tags.length > 0 ? { tags: [...document.tags] } : {}),
  ...(outline.length > 0
    ? { outline: outline.map(({ level, text }) => `${'  '.repeat(level - 1)}${text}`) }
    : {}),
  text,
})
