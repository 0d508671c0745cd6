import { createHash, type Hash } from 'node:crypto'
import { constants, deflateRawSync } from 'node:zlib'
import type { DocumentFacts, DocumentSink } from '../../../engine/formats/index.js'
import { baseTitle } from '../documents/name-key.js'
import type { NewDocument, NewDocumentText } from '../stores/types.js'

/** Bytes of text that are compressed together: few enough for a page to read, and for one transaction. */
const PART_BYTES = 256 * 1024
/** Maximum bytes of text stored per document. */
const MAX_BYTES = 8 * 1024 * 1024
const MAX_TAGS = 50
const MAX_ADDRESSES = 20

/** The file formats, by kind of document. */
const FORMATS_OF: Readonly<Partial<Record<NewDocument['kind'], readonly string[]>>> = {
  markdown: [
    ...['markdown', 'evernote', 'keep', 'kindle', 'roam', 'opml', 'org', 'tiddlywiki', 'tiddlers'],
    ...['tiddlywikipage', 'standardnotes', 'mastodon', 'wordpress'],
  ],
  html: ['html', 'bookmarks'],
  pdf: ['pdf'],
  docx: ['docx', 'odt', 'rtf', 'mhtml'],
  slides: ['pptx', 'odp'],
  epub: ['epub'],
  chat: ['chats', 'sessions', 'slack', 'whatsapp', 'signal', 'telegram', 'discord', 'messenger'],
  table: ['csv', 'jsonlines', 'jsontable', 'xlsx', 'ods'],
  mail: ['mail', 'mbox', 'outlook'],
  text: ['text', 'calendar', 'contacts'],
  image: ['image'],
}
const kindOf = (format: string) =>
  (Object.keys(FORMATS_OF) as NewDocument['kind'][]).find(kind => FORMATS_OF[kind]?.includes(format))

interface Open {
  document: NewDocument
  hash: Hash
  /** Text that is not in a part yet. */
  chunks: Uint8Array[]
  bytes: number
  /** Lines so far. */
  lines: number
  /** Whether a passage belongs to it. */
  isMeant: boolean
  addresses: Set<string>
}

/**
 * Collects the documents of one layer while their files are read (ADR 70): the original bytes of a text, or the text
 * extracted by the reader of another format. Its memory does not grow with the file.
 */
export class DocumentWriter implements DocumentSink {
  #documents: NewDocument[] = []
  #texts: NewDocumentText[] = []
  #textBytes = 0
  #ids = 0
  #file: { path: string; kind: NewDocument['kind']; keepsBytes: boolean } | null = null
  #open: Open | null = null
  /** Number of documents with each name in this file. */
  readonly #names = new Map<string, number>()

  /** The document of the current passages; null: none. */
  get current(): number | null {
    if (!this.#open) return null
    this.#open.isMeant = true
    return this.#open.document.id
  }

  get line(): number | null {
    return this.#open && !this.#file?.keepsBytes ? this.#open.lines : null
  }

  /** Rows collected, and bytes of their texts. */
  get size(): { rows: number; text: number } {
    return { rows: this.#documents.length + this.#texts.length, text: this.#textBytes }
  }

  /**
   * Begins a file. Formats stored as they are take it from `bytes`; for the others it comes by `write`. `lineBreaks`: Markdown line
   * breaks are shown.
   */
  async *file(
    format: { id: string; keepsBytes: boolean; hasParts: boolean; lineBreaks?: boolean | undefined },
    path: string,
    bytes: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    const isLined = format.id === 'markdown' && format.lineBreaks === true
    const kind = isLined ? 'markdown-lines' : (kindOf(format.id) ?? 'data')
    this.#file = { path, kind, keepsBytes: format.keepsBytes }
    this.#names.clear()
    if (!format.hasParts) this.#begin(path)
    for await (const some of bytes) {
      if (this.#open && !format.hasParts) this.#open.document.size += some.length
      if (format.keepsBytes) this.#add(some)
      yield some
    }
  }

  /** Ends the file. */
  end(): void {
    this.#end()
    this.#file = null
  }

  /** A document within the file, such as a conversation; the following passages belong to it. */
  begin(name: string, format?: string): void {
    if (!this.#file) return
    this.#end()
    const clean = name.replaceAll('/', '∕').trim() || 'Untitled'
    const count = (this.#names.get(clean) ?? 0) + 1
    this.#names.set(clean, count)
    const own = count === 1 ? clean : numbered(clean, count, format !== undefined)
    this.#begin(`${this.#file.path}/${own}`, clean, format)
  }

  about({ title, time, tags = [], addresses: given = [] }: DocumentFacts): void {
    if (!this.#open) return
    const { document, addresses } = this.#open
    for (const address of given) if (addresses.size < MAX_ADDRESSES) addresses.add(address)
    if (title?.trim()) document.title = title.trim()
    if (time !== undefined) document.time = time
    document.tags = [...new Set([...document.tags, ...tags])].slice(0, MAX_TAGS)
  }

  write(text: string): void {
    if (this.#file && !this.#file.keepsBytes) this.#add(Buffer.from(text))
  }

  /** Returns everything collected since the last call. */
  take(): { documents: NewDocument[]; documentTexts: NewDocumentText[] } {
    const taken = { documents: this.#documents, documentTexts: this.#texts }
    this.#documents = []
    this.#texts = []
    this.#textBytes = 0
    return taken
  }

  #begin(path: string, title = baseTitle(path), format?: string): void {
    const kind = (format === undefined ? this.#file?.kind : kindOf(format)) ?? 'data'
    const document = { id: ++this.#ids, path, title, kind, kept: 'whole' as const, size: 0 }
    this.#open = {
      document: { ...document, textBytes: 0, parts: 0, time: null, tags: [], contentHash: '' },
      hash: createHash('sha256'),
      chunks: [],
      bytes: 0,
      lines: 1,
      isMeant: false,
      addresses: new Set(),
    }
  }

  #add(bytes: Uint8Array): void {
    if (!this.#open) return
    const { document } = this.#open
    if (this.#file && !this.#file.keepsBytes) this.#open.lines += newlinesIn(bytes)
    const room = MAX_BYTES - document.textBytes
    if (bytes.length > room) document.kept = 'beginning'
    const some = bytes.subarray(0, room)
    if (some.length === 0) return
    document.textBytes += some.length
    this.#open.hash.update(some)
    this.#open.chunks.push(some)
    this.#open.bytes += some.length
    while (this.#open.bytes >= PART_BYTES) this.#endPart()
  }

  /** Compresses the next part. */
  #endPart(): void {
    if (!this.#open || this.#open.bytes === 0) return
    const { document, chunks } = this.#open
    const all = Buffer.concat(chunks)
    const part = all.subarray(0, PART_BYTES)
    const rest = all.subarray(PART_BYTES)
    this.#open.chunks = rest.length > 0 ? [Buffer.from(rest)] : []
    this.#open.bytes = rest.length
    const bytes = deflateRawSync(part, {
      level: document.kind === 'image' ? 0 : constants.Z_DEFAULT_COMPRESSION,
    })
    this.#texts.push({ documentId: document.id, part: document.parts++, bytes })
    this.#textBytes += bytes.length
  }

  #end(): void {
    if (!this.#open) return
    this.#endPart()
    const { document, hash, isMeant, addresses } = this.#open
    this.#open = null
    // Documents without content, such as a day of a channel on which people only joined.
    if (document.textBytes === 0 && !isMeant && this.#file?.keepsBytes === false) return
    if (document.size === 0) document.size = document.textBytes
    document.contentHash = hash.digest('base64url')
    this.#documents.push(document)
    for (const address of addresses) this.#documents.push(addressRow(document, address, ++this.#ids))
  }
}

/** A row for links that use an address of a document. Its path is unique and ends with the address. */
const addressRow = (document: NewDocument, address: string, id: number): NewDocument => ({
  ...document,
  id,
  path: `${document.path}#/${address}`,
  title: document.path,
  kind: 'address',
  kept: 'passages',
  size: 0,
  textBytes: 0,
  parts: 0,
  time: null,
  tags: [],
  contentHash: '',
})

/** `report.pdf` → `report (2).pdf`; a subject may look like a file name without being one. */
function numbered(name: string, count: number, isFile: boolean): string {
  const end = (isFile && /\.[a-z0-9]{1,8}$/i.exec(name)?.[0]) || ''
  return `${name.slice(0, name.length - end.length)} (${count})${end}`
}

function newlinesIn(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) if (byte === 10) count++
  return count
}
