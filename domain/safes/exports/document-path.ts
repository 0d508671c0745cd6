import { normalForm } from '../../../platform/common/normal-form.js'
import type { StoredDocument } from '../documents/documents.js'

/** Kinds whose extracted text is stored instead of the file, and its format. */
const READ_AS: Readonly<Record<string, string>> = {
  pdf: '.txt',
  slides: '.md',
  docx: '.md',
  epub: '.md',
  chat: '.md',
  mail: '.md',
}

/** Device names on Windows, also before an extension (https://learn.microsoft.com/windows/win32/fileio/naming-a-file). */
const DEVICES = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|con(?:in|out)\$|clock\$) *(?=\.|$)/i
/** Characters that Windows does not allow in names. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const RESERVED = /[<>:"|?*\\\u0000-\u001f\u007f]/g
/** Characters that Windows does not allow at the end of names. */
const ENDING = /(?<![. ])[. ]+$/

/**
 * Names documents in an archive. A path is kept unless a system could not unpack it: Windows and macOS treat names
 * that differ only in case as equal. It remembers all names it has assigned.
 */
export class ExportPaths {
  /** As `folded`. */
  readonly #taken = new Set<string>()
  /** Folders as they are in the Safe → in the archive. */
  readonly #folders = new Map<string, string>()
  /** Paths in the archive → in the Safe, of documents that have another name there. */
  readonly renamed = new Map<string, string>()

  /** The path of a document in the archive. */
  of(document: Pick<StoredDocument, 'path' | 'kind' | 'kept'>): string {
    // Files of Org mode or TiddlyWiki are stored as Markdown; their links name notes without an extension.
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

/** Equal for names that Windows or macOS treats as equal. */
const folded = (name: string) => normalForm(name, 'NFC').toUpperCase().toLowerCase()

/** Extracted text differs from the file that its path names. */
function extensionFor({ path, kind, kept }: Pick<StoredDocument, 'path' | 'kind' | 'kept'>): string {
  const readAs = READ_AS[kind] ?? (kept === 'passages' && !isMarkdown(kind) ? '.md' : '')
  if (readAs !== '') return path.toLowerCase().endsWith(readAs) ? '' : readAs
  if (/\.[a-z0-9]{1,8}$/i.test(path)) return ''
  // Without an extension the file would have no type.
  return kind === 'data' ? '.jsonl' : kind === 'table' ? '.csv' : isMarkdown(kind) ? '.md' : '.txt'
}

const isMarkdown = (kind: StoredDocument['kind']) => kind === 'markdown' || kind === 'markdown-lines'

/** A name within a folder that every system allows. */
function safeName(name: string): string {
  const clean = name.replace(RESERVED, '_').replace(ENDING, end => '_'.repeat(end.length)) || '_'
  return DEVICES.test(clean) ? `_${clean}` : clean
}

const numbered = (name: string, count: number) => name.replace(/(?=\.[^.]*$)|$/, ` (${count})`)
