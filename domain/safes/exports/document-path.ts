import { normalForm } from '../../../platform/common/normal-form.js'
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

/** Names that Windows gives to devices, also before an extension (https://learn.microsoft.com/windows/win32/fileio/naming-a-file). */
const DEVICES = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|con(?:in|out)\$|clock\$) *(?=\.|$)/i
/** Characters that names cannot have on Windows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const RESERVED = /[<>:"|?*\\\u0000-\u001f\u007f]/g
/** What no name ends in there. */
const ENDING = /(?<![. ])[. ]+$/

/**
 * Names documents in an archive. A path is kept as it is, unless a system could not unpack it: Windows and Macs take names
 * for the same that differ in case only. It remembers the names it has given.
 */
export class ExportPaths {
  /** As `folded`. */
  readonly #taken = new Set<string>()
  /** Folders as they are in the Safe → in the archive. */
  readonly #folders = new Map<string, string>()
  /** Paths in the archive → in the Safe, of documents that are named otherwise there. */
  readonly renamed = new Map<string, string>()

  /** The path of a document in the archive. */
  of(document: Pick<StoredDocument, 'path' | 'kind' | 'kept'>): string {
    // Of a file of Org mode or TiddlyWiki the Markdown is kept, whose links name notes without their ending.
    const path = isMarkdown(document.kind) ? document.path.replace(/\.(?:org|tid)$/i, '.md') : document.path
    const wanted = `${path}${extensionFor(document)}`
    const end = wanted.lastIndexOf('/')
    const folder = end < 0 ? '' : this.#folder(wanted.slice(0, end))
    const name = safeName(wanted.slice(end + 1))
    let own = folder + name
    for (let count = 2; this.#taken.has(folded(own)); count++) own = folder + numbered(name, count)
    this.#taken.add(folded(own))
    if (own !== wanted) this.renamed.set(own, document.path)
    return own
  }

  /** A folder in the archive, with a slash at its end. */
  #folder(path: string): string {
    const known = this.#folders.get(path)
    if (known !== undefined) return known
    const end = path.lastIndexOf('/')
    let own = (end < 0 ? '' : this.#folder(path.slice(0, end))) + safeName(path.slice(end + 1))
    while (this.#taken.has(folded(own))) own += '_'
    this.#taken.add(folded(own))
    this.#folders.set(path, `${own}/`)
    return `${own}/`
  }
}

/** Equal for names that Windows or a Mac takes for the same. */
const folded = (name: string) => normalForm(name, 'NFC').toUpperCase().toLowerCase()

/** Text that was read is not the file that its path names. */
function extensionFor({ path, kind, kept }: Pick<StoredDocument, 'path' | 'kind' | 'kept'>): string {
  const readAs = READ_AS[kind] ?? (kept === 'passages' && !isMarkdown(kind) ? '.md' : '')
  if (readAs !== '') return path.toLowerCase().endsWith(readAs) ? '' : readAs
  if (/\.[a-z0-9]{1,8}$/i.test(path)) return ''
  // Without an extension nothing could tell what the file is.
  return kind === 'data' ? '.jsonl' : kind === 'table' ? '.csv' : isMarkdown(kind) ? '.md' : '.txt'
}

const isMarkdown = (kind: StoredDocument['kind']) => kind === 'markdown' || kind === 'markdown-lines'

/** A name within a folder that every system can have. */
function safeName(name: string): string {
  const clean = name.replace(RESERVED, '_').replace(ENDING, end => '_'.repeat(end.length)) || '_'
  return DEVICES.test(clean) ? `_${clean}` : clean
}

const numbered = (name: string, count: number) => name.replace(/(?=\.[^.]*$)|$/, ` (${count})`)
