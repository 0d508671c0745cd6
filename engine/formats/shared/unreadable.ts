import type { FileHead } from './file-head.js'

/**
 * An unsupported kind: the beginning of a sentence; a sentence with the alternative; extensions; and the beginning in
 * Latin-1, with alternatives separated by bars and `@4:` for the fifth byte on, or a file inside it.
 */
type Unreadable = readonly [what: string, instead: string, extensions: string, begins?: string | RegExp]

const AS_PAGE = 'Save it as a page (.html), or its text in a .txt.'
const ONENOTE = '\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d'
const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'

/** The first match counts. */
const UNREADABLE: readonly Unreadable[] = [
  ['A document of Pages', 'Export it from Pages as Word (.docx) or PDF.', 'pages'],
  ['A table of Numbers', 'Export it from Numbers as CSV.', 'numbers'],
  ['A presentation of Keynote', 'Export it from Keynote as PDF.', 'key'],
  ['A document of iWork', 'Export it as Word (.docx), CSV or PDF.', '', /^Index(?:\.zip|\/.{1,100}\.iwa)$/],
  ['A workbook of Excel before 2007', 'Save it as a workbook of today (.xlsx) or CSV.', 'xls xlt', OLE],
  ['A presentation of PowerPoint before 2007', 'Save it as PowerPoint (.pptx).', 'ppt pps', OLE],
  ['A binary workbook of Excel', 'Save it as .xlsx or CSV.', 'xlsb', /^xl\/workbook\.bin$/],
  ['A document of Word before 2007', 'Save it as Word (.docx).', 'doc dot', OLE],
  [
    'A document with a password, or of Office before 2007,',
    'Save it without a password as .docx, .xlsx or .pptx.',
    '',
    OLE,
  ],
  ['A database of Access', 'Export its tables as CSV.', 'mdb accdb', '@4:Standard Jet DB|@4:Standard ACE DB'],
  ['A database of SQLite', 'Export its tables as CSV.', 'sqlite sqlite3 db', 'SQLite format 3\0'],
  [
    'A table in Parquet, Avro or Arrow',
    'Export it as CSV.',
    'parquet avro arrow feather',
    'PAR1|Obj\x01|ARROW1',
  ],
  [
    'A picture',
    'Recognise its text (OCR) and save it as PDF or text.',
    'png jpg jpeg gif webp bmp tif tiff heic heif avif psd ico svg',
    '\x89PNG|\xff\xd8\xff|GIF87a|GIF89a|II*\0|MM\0*|8BPS|@8:WEBP|@4:ftyphei|@4:ftypmif|@4:ftypavif',
  ],
  [
    'A recording',
    'Save what is said as text or subtitles in a .txt.',
    'mp3 m4a wav ogg oga flac aac wma opus mp4 m4v mov avi mkv webm wmv mpg mpeg',
    'ID3|\xff\xfb|\xff\xf3|\xff\xf1|\xff\xf9|OggS|fLaC|\x1aE\xdf\xa3|@8:WAVEfmt|@8:AVI LIST|@4:ftyp',
  ],
  [
    'An archive of another kind than zip',
    'Unpack it and add its files, or save them as a .zip.',
    '7z rar gz tgz tar bz2 xz zst lz4',
    '7z\xbc\xaf|Rar!\x1a|\x1f\x8b|BZh9|\xfd7zXZ|\x28\xb5\x2f\xfd|@257:ustar',
  ],
  [
    'A book for Kindle',
    'Convert it to EPUB, without copy protection.',
    'mobi azw azw3 kfx prc',
    '@60:BOOKMOBI',
  ],
  ['A document in DjVu or PostScript', 'Save it as PDF.', 'djvu djv ps eps xps oxps', 'AT&TFORM|%!PS'],
  [
    'A program',
    'Programs contain nothing to read.',
    'exe dll so dylib wasm class',
    'MZ\x90\0|\x7fELF|\xcf\xfa\xed\xfe|\0asm|\xca\xfe\xba\xbe',
  ],
  ['A document in LaTeX', 'Save it as PDF, or its text in a .txt.', 'tex latex'],
  ['A document in AsciiDoc or reStructuredText', AS_PAGE, 'adoc asciidoc rst'],
  ['A map or a track', 'Save its places as CSV.', 'gpx kml kmz geojson fit tcx'],
  ['A text of subtitles', 'Rename it to end in .txt.', 'srt vtt'],
  ['A notebook of Jupyter', 'Export it as a page (.html) or Markdown.', 'ipynb'],
  ['A list of references', 'Export it as CSV.', 'bib ris'],
  ['A file in YAML', 'Rename it to end in .txt, or save it as JSON.', 'yaml yml'],
  ['A notebook of OneNote', 'Export it from OneNote as PDF or Word (.docx).', 'one onepkg onetoc2', ONENOTE],
  ['Files of Outlook in winmail.dat', 'Add their message as .eml.', 'tnef', '\x78\x9f\x3e\x22'],
  ['A mailbox of Outlook', 'Drag its messages into a folder, as .msg files, and zip it.', 'pst ost', '!BDN'],
]

/** Why a file is refused because of its bytes, as a sentence, or null. */
export function unreadableBytes({ bytes, extension, parts }: FileHead): string | null {
  const start = bytes.toString('latin1', 0, 512)
  const begins = (mark: string) => {
    const [, at = '0', bytes = mark] = /^@(\d+):(.*)$/s.exec(mark) ?? []
    return start.startsWith(bytes, Number(at))
  }
  const fit = UNREADABLE.filter(([, , , marks]) =>
    marks instanceof RegExp ? parts.some(name => marks.test(name)) : marks?.split('|').some(begins),
  )
  const chosen = fit.find(isOf(extension)) ?? fit.find(([, , extensions]) => extensions === '') ?? fit[0]
  return chosen ? sentence(chosen) : null
}

/** The same if only its name is known. */
export function unreadableName(extension: string): string | null {
  const chosen = extension === '' ? undefined : UNREADABLE.find(isOf(extension))
  return chosen ? sentence(chosen) : null
}

const isOf =
  (extension: string) =>
  ([, , extensions]: Unreadable) =>
    extensions.split(' ').includes(extension)

const sentence = ([what, instead]: Unreadable) => `${what} can’t be read. ${instead}`
