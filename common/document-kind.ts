/** How a document of a Safe is kept, which says how `rendering/` shows it. */
export type DocumentKind =
  | 'markdown'
  | 'text'
  | 'html'
  | 'pdf'
  | 'docx'
  | 'epub'
  | 'chat'
  | 'mail'
  | 'table'
  | 'data'
