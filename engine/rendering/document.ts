import type { DocumentKind } from '../../platform/common/document-kind.js'
import type { ParsedDocument } from './article.js'
import { parseChat } from './chat.js'
import { parseHtml } from './html.js'
import { parseMarkdown } from './markdown/markdown.js'
import { parsePages } from './pages.js'
import { parseText } from './plain.js'
import { parseRecords, parseTable } from './table.js'

const PARSERS: Readonly<Record<DocumentKind, (text: string) => ParsedDocument>> = {
  markdown: text => parseMarkdown(text),
  'markdown-lines': text => parseMarkdown(text, true),
  docx: parseMarkdown,
  epub: parseMarkdown,
  mail: parseMarkdown,
  chat: parseChat,
  pdf: text => parsePages(text, parseText),
  slides: text => parsePages(text, page => parseMarkdown(page, true)),
  html: parseHtml,
  table: parseTable,
  text: parseText,
  data: parseRecords,
}

/** Parses a document of a Safe for a page. The result loads nothing and runs nothing. */
export function parseDocument(kind: DocumentKind, text: string): ParsedDocument {
  return PARSERS[kind](text.replace(/\r\n?/g, '\n'))
}
