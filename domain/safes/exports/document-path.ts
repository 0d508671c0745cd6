import type { StoredDocument } from '../documents/documents.js'

/** Kinds of which the text that was read is kept, instead of the file, and what it is. */
const READ_AS: Readonly<Record<string, string>> = {
  pdf: '.txt',
  slides: '.md',
  docx: '.md',
  epub: '.md',
  chat: '.md',
  mail: '.md',
}

/** Names of files that Windows has no place for. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/**
 * Names documents in an archive. A path is kept as it is, unless unpacking it could write outside of a folder, or another
 * document has the name of one of its folders. It remembers the names it has given.
 */
export class ExportPaths {
  readonly #files = new Set<string>()

  /** The path of a document in the archive. */
  of(document: Pick<StoredDocument, 'path' | 'kind' | 'kept'>): string {
    // Of a file of Org mode or TiddlyWiki the Markdown is kept, whose links name notes without their ending.
    const path = isMarkdown(document.kind) ? document.path.replace(/\.(?:org|tid)$/i, '.md') : document.path
    const names = `${path}${extensionFor(document)}`.split('/').map(safeName)
    for (let length = 1; length < names.length; length++)
      while (this.#files.has(names.slice(0, length).join('/'))) names[length - 1] += '_'
    const last = names.length - 1
    const name = names[last] ?? '_'
    for (let count = 2; this.#files.has(names.join('/')); count++) names[last] = numbered(name, count)
    const own = names.join('/')
    this.#files.add(own)
    return own
  }
}

/** Text that was read is not the file that its path names. */
function extensionFor({ path, kind, kept }: Pick<StoredDocument, 'path' | 'kind' | 'kept'>): string {
  const readAs = READ_AS[kind] ?? (kept === 'passages' && !isMarkdown(kind) ? '.md' : '')
  if (readAs !== '') return path.toLowerCase().endsWith(readAs) ? '' : readAs
  if (/\.[a-z0-9]{1,8}$/i.test(path)) return ''
  // Without an extension nothing could tell what the file is.
  return kind === 'data' ? '.jsonl' : kind === 'table' ? '.csv' : isMarkdown(kind) ? '.md' : '.txt'
}

const isMarkdown = (kind: StoredDocument['kind']) => kind === 'markdown' || kind === 'markdown-lines'

/** A name within a folder. */
function safeName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  const clean = name.replace(/[\\\u0000-\u001f\u007f]/g, '_')
  if (/^\.*$/.test(clean) || DEVICES.test(clean)) return `_${clean}`
  return /^[a-z]:/i.test(clean) ? clean.replace(':', '_') : clean
}

const numbered = (name: string, count: number) => name.replace(/(?=\.[^.]*$)|$/, ` (${count})`)
