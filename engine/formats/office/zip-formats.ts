import type { Parsed } from '../../graph/index.js'
import type { FileHead } from '../shared/file-head.js'
import type { Format, SourceFile } from '../shared/format.js'
import type { ZipParts } from '../shared/zip-parts.js'

/** Reads the files inside a zip. `kind`: the format in sentences, such as DOCX. */
type ZipReader = (parts: ZipParts, file: SourceFile | undefined, kind: string) => AsyncIterable<Parsed[]>

/** A format of zip archives, whose reader is loaded with the first file. */
const zipFormat = (
  about: Omit<Format, 'parse' | 'isBinary' | 'isZip'>,
  load: () => Promise<ZipReader>,
): Format => ({
  ...about,
  isBinary: true,
  isZip: true,
  async *parse(bytes, file) {
    const [{ ZipParts }, read] = await Promise.all([import('../shared/zip-parts.js'), load()])
    const kind = about.id.toUpperCase()
    yield* read(await ZipParts.open(bytes, kind), file, kind)
  },
})

/**
 * A document of Word, LibreOffice or Google Docs: an entity named after its file, with passages by heading.
 * Pictures, linked content and embedded documents are not read.
 */
export const docx = zipFormat(
  { id: 'docx', title: 'Word document', extensions: ['docx'], signature: head => isOffice(head, 'word') },
  async () => (await import('./docx.js')).readDocx,
)

/**
 * A presentation of PowerPoint, LibreOffice or Google Slides: passages by slide, with its title, tables, charts, diagrams,
 * comments and speaker notes. Pictures and hidden slides are not read (ADR 51).
 */
export const pptx = zipFormat(
  {
    id: 'pptx',
    title: 'Presentation (PowerPoint)',
    extensions: ['pptx', 'pptm', 'ppsx', 'potx'],
    signature: head => isOffice(head, 'ppt'),
  },
  async () => (await import('./pptx.js')).readPptx,
)

/** A text document in OpenDocument (LibreOffice, Google Docs): passages by heading. */
export const odt = zipFormat(
  {
    id: 'odt',
    title: 'Document (OpenDocument)',
    extensions: ['odt', 'ott', 'fodt'],
    signature: head => isOpenDocument(head, 'text'),
  },
  async () => (await import('./odt.js')).readOpenDocument,
)

/** A presentation in OpenDocument: passages by slide, with the speaker's notes. */
export const odp = zipFormat(
  {
    id: 'odp',
    title: 'Presentation (OpenDocument)',
    extensions: ['odp', 'otp', 'odg'],
    signature: head => isOpenDocument(head, 'presentation') || isOpenDocument(head, 'graphics'),
  },
  async () => (await import('./odt.js')).readOpenDocument,
)

/**
 * A workbook of Excel, LibreOffice or Google Sheets: each visible sheet is a table. Formulas have their saved
 * values; nothing is calculated or loaded (ADR 51).
 */
export const xlsx = zipFormat(
  {
    id: 'xlsx',
    title: 'Workbook (Excel)',
    extensions: ['xlsx', 'xlsm', 'xltx'],
    hasParts: true,
    signature: head => isOffice(head, 'xl'),
  },
  async () => (await import('../tables/xlsx.js')).readXlsx,
)

/** A workbook in OpenDocument (LibreOffice, Google Sheets): each sheet is a table, as in XLSX. */
export const ods = zipFormat(
  {
    id: 'ods',
    title: 'Workbook (OpenDocument)',
    extensions: ['ods', 'ots'],
    hasParts: true,
    signature: head => isOpenDocument(head, 'spreadsheet'),
  },
  async () => (await import('../tables/ods-sheets.js')).readOds,
)

/** A book (EPUB 2 and 3): an entity named by its title, with passages by chapter and heading, in reading order. */
export const epub = zipFormat(
  {
    id: 'epub',
    title: 'EPUB book',
    extensions: ['epub'],
    signature: ({ declares, parts }) =>
      declares.startsWith('application/epub+zip') || parts.includes('META-INF/container.xml'),
  },
  async () => (await import('../web/epub.js')).readEpub,
)

/** Content types of the main part (ECMA-376-1 §15.2, including templates and macros). */
const MAIN = {
  word: /\bwordprocessingml\.(?:document|template)\.main\b|\bms-word\.(?:document|template)\.macroEnabled\.main/,
  xl: /\bspreadsheetml\.(?:sheet|template)\.main\b|\bms-excel\.(?:sheet|template)\.macroEnabled\.main/,
  ppt: /\bpresentationml\.(?:presentation|slideshow|template)\.main\b|\bms-powerpoint\.(?:presentation|slideshow|template)\.macroEnabled\.main/,
} as const

/** Whether a file is an Office document (OOXML) of this kind, by its content types or file names. */
function isOffice({ declares, parts }: FileHead, kind: keyof typeof MAIN): boolean {
  if (MAIN[kind].test(declares)) return true
  const isPackage = parts.some(part => part === '[Content_Types].xml' || part === '_rels/.rels')
  return isPackage && parts.some(part => part.startsWith(`${kind}/`) && part.endsWith('.xml'))
}

const isOpenDocument = ({ declares }: FileHead, kind: string) =>
  declares.startsWith(`application/vnd.oasis.opendocument.${kind}`)
