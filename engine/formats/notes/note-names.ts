import { posix } from 'node:path'
import { normalForm } from '../../../platform/common/normal-form.js'
import { trimEndOf } from '../../graph/index.js'
import { baseName } from '../shared/file-name.js'
import { isName } from './note-properties.js'
import { withoutNotionIds } from './notion-paths.js'

/** The note, or a place in it, for an id. */
export interface NotePlace {
  /** The path of its file without extension. */
  path: string
  /** Whether the id identifies the whole note. */
  isWhole: boolean
  /** The text of that place; empty if unknown. */
  text: string
}

/**
 * Names of the notes in a folder. A note has the name of its file, as in links; files with the same name
 * are distinguished by their paths.
 */
export class NoteNames {
  /** Base name in lower case → paths without extension, as written. */
  readonly #byName = new Map<string, string[]>()
  /** Path without extension in lower case → as written. */
  readonly #byPath = new Map<string, string>()
  /**
   * If set, receives the names used to look up links: the links keep their meaning until a note with one of these
   * names (`namesOf`) is added or removed.
   */
  lookedUp: Set<string> | null = null

  /** Notes and places in notes by id. */
  ids: ReadonlyMap<string, NotePlace>
  #byTitle: Map<string, string | null> | null = null

  constructor(paths: Iterable<string> = [], ids: ReadonlyMap<string, NotePlace> = new Map()) {
    this.ids = ids
    for (const path of paths) {
      const known = withoutEnd(path)
      const name = baseName(path).toLowerCase()
      this.#byPath.set(known.toLowerCase(), known)
      const same = this.#byName.get(name)
      if (same) same.push(known)
      else this.#byName.set(name, [known])
    }
  }

  /** The name of the note in this file. */
  ofFile(path: string): string {
    return this.#nameOf(withoutEnd(path))
  }

  /**
   * The name of the note that `[[target]]` refers to. Obsidian accepts a path from the root of the vault, the
   * end of a path, or a name; a note in the same folder as `from` takes precedence.
   */
  ofLink(target: string, from = ''): string {
    return this.ofKnown(target, from) ?? linkedPath(target).replace(/^(?:\.{1,2}\/)+/, '')
  }

  /** The same, or null if there is no such note. */
  ofKnown(target: string, from = ''): string | null {
    const path = linkedPath(target)
    const known = this.#at(path, from) ?? this.#withEnd(path.toLowerCase())
    return known === undefined ? null : this.#nameOf(known)
  }

  /**
   * The name of the note that the Markdown link `[text](path)` refers to, relative to the folder of `from`
   * or, with a leading slash, to the root. A folder's own note is its `index` or `README`. Null if the path
   * does not refer to a note.
   */
  ofPath(path: string, from: string): string | null {
    const end = withoutMarkdownEnd(path).replace(/\/$/, '')
    const inRoot = end.replace(/^\/+/, '')
    // A path from the root of a website, which may be a folder of notes.
    const below = () => (path.startsWith('/') ? this.#withEnd(inRoot.toLowerCase()) : undefined)
    const known = this.#at(end, from, ['', '/index', '/readme']) ?? below()
    if (known !== undefined) return this.#nameOf(known)
    return MARKDOWN_END.test(path) ? unescaped(withoutNotionIds(end.slice(end.lastIndexOf('/') + 1))) : null
  }

  /** The note at a path, from the folder of `from` or from the root. `ends`: may follow the path. */
  #at(path: string, from: string, ends: readonly string[] = ['']): string | undefined {
    const inFolder = resolved(path, from)
    this.#note(path, inFolder)
    for (const at of [inFolder, path.replace(/^\/+/, '').toLowerCase(), withoutNotionIds(inFolder)])
      for (const end of ends) {
        const known = this.#byPath.get(`${at}${end}`.replace(/^\//, ''))
        if (known !== undefined) return known
      }
    return undefined
  }

  /**
   * The path, without extension, of the note whose file name contains this title or time, as in Org-roam and Denote:
   * `20240131093000-some_title`, `20240131T093000--some-title__tag`. Null if none or several match.
   */
  ofTitle(title: string): string | null {
    this.#byTitle ??= byTitle(this.#byPath.values())
    return this.#byTitle.get(slugOf(title)) ?? null
  }

  /** The path with this ending that is closest to the root. */
  #withEnd(path: string): string | undefined {
    const candidates = this.#byName.get(path.slice(path.lastIndexOf('/') + 1)) ?? []
    let best: string | undefined
    for (const candidate of candidates.slice(0, MAX_COMPARED)) {
      if (withoutMarks(`/${candidate.toLowerCase()}`).endsWith(withoutMarks(`/${path}`))) {
        if (best === undefined || depthOf(candidate) < depthOf(best)) best = candidate
      }
    }
    return best
  }

  #note(...paths: string[]): void {
    for (const path of paths) this.lookedUp?.add(lastName(path))
  }

  #nameOf(known: string): string {
    this.#note(known)
    const name = known.slice(known.lastIndexOf('/') + 1)
    const isShared = (this.#byName.get(name.toLowerCase())?.length ?? 0) > 1
    return unescaped(isShared ? known : name)
  }
}

/** The names of the folder that was read last: often only one of its notes has changed. */
let last = { paths: [] as readonly string[], names: new NoteNames() }

/** The names of the notes with these paths, the same object as long as the paths are the same. */
export function noteNamesOf(paths: readonly string[]): NoteNames {
  const isSame = paths.length === last.paths.length && paths.every((path, at) => path === last.paths[at])
  if (!isSame) last = { paths, names: new NoteNames(paths) }
  return last.names
}

function byTitle(paths: Iterable<string>): Map<string, string | null> {
  const found = new Map<string, string | null>()
  for (const path of paths) {
    const [, time, title = ''] = TIMED.exec(path.slice(path.lastIndexOf('/') + 1)) ?? []
    if (time === undefined) continue
    for (const key of [slugOf(time), slugOf(title.split('__', 1)[0] ?? '')])
      if (key !== '') found.set(key, found.has(key) ? null : path)
  }
  return found
}

/** Letters and digits of a title, as in file names. */
const slugOf = (title: string) =>
  normalForm(title, 'NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/** The names that links may use for the note in this file. A folder's own note also has the folder's name. */
export function namesOf(path: string): string[] {
  const known = withoutEnd(path)
  const name = lastName(known)
  return /^(?:index|readme)$/.test(name) ? [name, lastName(folderOf(known))] : [name]
}

/** Jekyll’s folder `_docs` appears as `docs` in addresses. */
const withoutMarks = (path: string) => path.replaceAll('/_', '/')

const lastName = (path: string) => path.slice(path.lastIndexOf('/') + 1).toLowerCase()

/** Maximum notes with the same name that a link is compared with. */
const MAX_COMPARED = 100

const MARKDOWN_END = /\.(?:md|mdx|markdown|qmd|rmd|org|tid)$/i
/** A file name with the creation time of the note. */
const TIMED = /^(\d{8,14}(?:T\d{4,6})?)[-_=]{1,4}(.{1,200})$/

const linkedPath = (target: string) => withoutMarkdownEnd(target).replace(/^\/+/, '')

const withoutMarkdownEnd = (path: string) => path.replace(MARKDOWN_END, '')

const withoutEnd = (path: string) => path.replace(/(?<=[^/])\.[^./]*$/, '').replace(/^(?:\.?\/)+/, '')

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const depthOf = (path: string) => path.split('/').length

/** The path resolved against the folder of `from`, in lower case. */
const resolved = (path: string, from: string) =>
  posix.resolve('/', folderOf(from), path).slice(1).toLowerCase()

/** Logseq stores the page `project/alpha?` in `project___alpha%3F.md`. */
function unescaped(name: string): string {
  const whole = name.replaceAll('___', '/')
  return whole.includes('%')
    ? whole.replace(/%(?:2[2-5AEF]|3[ACEF]|5[BCDE]|7[BCD])/gi, code => decodeURIComponent(code))
    : whole
}

/** Maximum addresses of one note, and characters of one. */
const MAX = 20
const MAX_LENGTH = 300

/** Properties that set the address of a page on websites. */
const ADDRESS = /^(?:id|slug|permalink|redirect_from|url)$/i
const WEB = /^[a-z][a-z0-9+.-]*:/i
/** Numbers that order files and are not part of an address: `01-start.md`, `2.guide/`; dates and versions do not match. */
const NUMBER = /(^|\/)\d{1,3}[._-](?=\p{L})/gu
/** The creation time in names of notes in a slip box: `202401311030 Lamps.md`. */
const TIME = /^(?:\d{8}|\d{12}|\d{14})(?=[ _-]\D)/
const OWN_PAGE = /(?:^|\/)_?(?:index|readme)$/i

/** The addresses in a property of a note. Links may use them instead of the file name. */
export function addressesIn(key: string, values: readonly string[]): string[] {
  if (!ADDRESS.test(key.trim()) && !isName(key)) return []
  return values
    .slice(0, MAX)
    .filter(value => value.length <= MAX_LENGTH)
    .map(value => trimEndOf(value.trim().replace(/(?:(?:^|\/)index)?\.html?$/, ''), '/'))
    .filter(value => value !== '' && !WEB.test(value) && !/[:{}[\]\n]/.test(value))
}

/** The addresses derived from the path of a note: without ordering numbers and creation time. */
export function addressesOfPath(path: string): string[] {
  const end = path.replace(/\.[a-z]{1,8}$/i, '')
  const plain = end.replace(NUMBER, '$1')
  const [time] = TIME.exec(end.slice(end.lastIndexOf('/') + 1)) ?? []
  const ordered = plain === end ? [] : [`/${plain.replace(OWN_PAGE, '')}`]
  return [...ordered, ...(time === undefined ? [] : [time])].filter(each => /[^/]/.test(each))
}
