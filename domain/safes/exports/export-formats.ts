import { EXPORT_FORMATS } from '../../../engine/formats/index.js'

/** The folder of documents, as a zip archive (ADR 16). */
const MARKDOWN = {
  id: 'markdown',
  title: 'Markdown and other documents (zip)',
  extension: 'zip',
  contentType: 'application/zip',
}

/** All export formats of a Safe. */
export const EXPORTS: readonly { id: string; title: string; extension: string; contentType: string }[] = [
  MARKDOWN,
  ...EXPORT_FORMATS,
]
