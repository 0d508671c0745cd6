/** How a document of a Safe is kept, which says how `engine/rendering/` shows it. */
export type DocumentKind =
  | 'markdown'
  /** Markdown whose line ends are shown, as Obsidian does. */
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
