/** How a document of a Safe is stored, which determines how `engine/rendering/` shows it. */
export type DocumentKind =
  | 'markdown'
  /** Markdown whose line breaks are shown, as in Obsidian. */
  | 'markdown-lines'
  | 'text'
  | 'html'
  | 'pdf'
  | 'slides'
  | 'docx'
  | 'epub'
  | 'chat'
  | 'mail'
  | 'table'
  | 'data'
