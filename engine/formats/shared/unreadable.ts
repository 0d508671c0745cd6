import type { FileHead } from './file-head.js'

/** Files that cannot be read, and what to do instead. */
interface Unreadable {
  /** With an article, as the beginning of a sentence. */
  what: string
  /** A sentence. */
  instead: string
  extensions: readonly string[]
  /** Bytes (Latin-1) at their beginning, or further on. Without them only the name tells. */
  begins?: readonly (string | readonly [at: number, bytes: string])[]
  /** A file inside them, if they are zip archives. */
  part?: RegExp
}

const AS_ZIP = 'Unpack it and add its files, or save them as a .zip.'
const OLE = ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1']

/** The first that fits counts. */
const UNREADABLE: readonly Unreadable[] = [
  {
    what: 'A document of Pages',
    instead: 'Export it from Pages as Word (.docx) or PDF.',
    extensions: ['pages'],
  },
  {
    what: 'A table of Numbers',
    instead: 'Export it from Numbers as CSV.',
    extensions: ['numbers'],
  },
  {
    what: 'A presentation of Keynote',
    instead: 'Export it from Keynote as PDF.',
    extensions: ['key'],
  },
  {
    what: 'A document of iWork',
    instead: 'Export it as Word (.docx), CSV or PDF.',
    extensions: [],
    part: /^Index(?:\.zip|\/.{1,100}\.iwa)$/,
  },
  {
    what: 'A workbook of Excel before 2007',
    instead: 'Save it as a workbook of today (.xlsx) or CSV.',
    extensions: ['xls', 'xlt'],
    begins: OLE,
  },
  {
    what: 'A presentation of PowerPoint before 2007',
    instead: 'Save it as PowerPoint (.pptx).',
    extensions: ['ppt', 'pps'],
    begins: OLE,
  },
  {
    what: 'A binary workbook of Excel',
    instead: 'Save it as .xlsx or CSV.',
    extensions: ['xlsb'],
    part: /^xl\/workbook\.bin$/,
  },
  {
    what: 'A document of Word before 2007',
    instead: 'Save it as Word (.docx).',
    extensions: ['doc', 'dot'],
    begins: OLE,
  },
  {
    what: 'A document with a password, or of Office before 2007,',
    instead: 'Save it without a password as .docx, .xlsx or .pptx.',
    extensions: [],
    begins: OLE,
  },
  {
    what: 'A database of Access',
    instead: 'Export its tables as CSV.',
    extensions: ['mdb', 'accdb'],
    begins: [
      [4, 'Standard Jet DB'],
      [4, 'Standard ACE DB'],
    ],
  },
  {
    what: 'A database of SQLite',
    instead: 'Export its tables as CSV.',
    extensions: ['sqlite', 'sqlite3', 'db'],
    begins: ['SQLite format 3\0'],
  },
  {
    what: 'A table in Parquet, Avro or Arrow',
    instead: 'Export it as CSV.',
    extensions: ['parquet', 'avro', 'arrow', 'feather'],
    begins: ['PAR1', 'Obj\x01', 'ARROW1'],
  },
  {
    what: 'A picture',
    instead: 'Recognise its text (OCR) and save it as PDF or text.',
    extensions: 'png jpg jpeg gif webp bmp tif tiff heic heif avif psd ico svg'.split(' '),
    begins: [
      ...['\x89PNG', '\xff\xd8\xff', 'GIF87a', 'GIF89a', 'II*\0', 'MM\0*', '8BPS'],
      ...[[8, 'WEBP'] as const, [4, 'ftyphei'] as const, [4, 'ftypmif'] as const, [4, 'ftypavif'] as const],
    ],
  },
  {
    what: 'A recording',
    instead: 'Save what is said as text or subtitles in a .txt.',
    extensions: 'mp3 m4a wav ogg oga flac aac wma opus mp4 m4v mov avi mkv webm wmv mpg mpeg'.split(' '),
    begins: [
      ...['ID3', '\xff\xfb', '\xff\xf3', '\xff\xf1', '\xff\xf9', 'OggS', 'fLaC', '\x1aE\xdf\xa3'],
      ...[[8, 'WAVEfmt'] as const, [8, 'AVI LIST'] as const, [4, 'ftyp'] as const],
    ],
  },
  {
    what: 'An archive of another kind than zip',
    instead: AS_ZIP,
    extensions: '7z rar gz tgz tar bz2 xz zst lz4'.split(' '),
    begins: ['7z\xbc\xaf', 'Rar!\x1a', '\x1f\x8b', 'BZh9', '\xfd7zXZ', '\x28\xb5\x2f\xfd', [257, 'ustar']],
  },
  {
    what: 'A book for Kindle',
    instead: 'Convert it to EPUB, without copy protection.',
    extensions: ['mobi', 'azw', 'azw3', 'kfx', 'prc'],
    begins: [[60, 'BOOKMOBI']],
  },
  {
    what: 'A document in DjVu or PostScript',
    instead: 'Save it as PDF.',
    extensions: ['djvu', 'djv', 'ps', 'eps', 'xps', 'oxps'],
    begins: ['AT&TFORM', '%!PS'],
  },
  {
    what: 'A program',
    instead: 'Programs contain nothing to read.',
    extensions: ['exe', 'dll', 'so', 'dylib', 'wasm', 'class'],
    begins: ['MZ\x90\0', '\x7fELF', '\xcf\xfa\xed\xfe', '\0asm', '\xca\xfe\xba\xbe'],
  },
  {
    what: 'A document in LaTeX',
    instead: 'Save it as PDF, or its text in a .txt.',
    extensions: ['tex', 'latex'],
  },
  {
    what: 'A document in AsciiDoc or reStructuredText',
    instead: 'Save it as a page (.html), or its text in a .txt.',
    extensions: ['adoc', 'asciidoc', 'rst'],
  },
  {
    what: 'A map or a track',
    instead: 'Save its places as CSV.',
    extensions: ['gpx', 'kml', 'kmz', 'geojson', 'fit', 'tcx'],
  },
  {
    what: 'A notebook of OneNote',
    instead: 'Export it from OneNote as PDF or Word (.docx).',
    extensions: ['one', 'onepkg', 'onetoc2'],
    begins: ['\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d'],
  },
  {
    what: 'A mailbox of Outlook',
    instead: 'Drag its messages into a folder, as .msg files, and zip it.',
    extensions: ['pst', 'ost'],
    begins: ['!BDN'],
  },
]

/** Why a file whose bytes show that it cannot be read is refused, as a sentence, or null. */
export function unreadableBytes({ bytes, extension, parts }: FileHead): string | null {
  const start = bytes.toString('latin1', 0, 512)
  const fit = UNREADABLE.filter(
    ({ begins = [], part }) =>
      begins.some(mark =>
        typeof mark === 'string' ? start.startsWith(mark) : start.startsWith(mark[1], mark[0]),
      ) ||
      (part !== undefined && parts.some(name => part.test(name))),
  )
  const chosen =
    fit.find(({ extensions }) => extensions.includes(extension)) ??
    fit.find(({ extensions }) => extensions.length === 0) ??
    fit[0]
  return chosen ? sentence(chosen) : null
}

/** The same for a file of which only the name is known. */
export function unreadableName(extension: string): string | null {
  const chosen = UNREADABLE.find(({ extensions }) => extensions.includes(extension))
  return chosen ? sentence(chosen) : null
}

const sentence = ({ what, instead }: Unreadable) => `${what} can’t be read. ${instead}`
