import { namesOf } from '../../../engine/formats/index.js'
import { isNote } from '../imports/import-files.js'
import type { KnownFile } from '../stores/types.js'

/** A file in the folder. */
export interface FoundFile {
  /** Relative to the folder, with slashes. */
  path: string
  size: number
  /** Milliseconds since 1970. */
  modifiedAt: number
  /** SHA-256, base64url, if it is known without reading the file. `modifiedAt` is then 0. */
  contentHash?: string
  /** A note whose line breaks are shown. */
  lineBreaks?: boolean
  open(): Promise<AsyncIterable<Uint8Array>>
}

/** A file in the folder, and its visible version. */
export interface FilePair {
  found: FoundFile
  known: KnownFile | null
}

/** The steps of a run. */
export interface Plan {
  added: FilePair[]
  changed: FilePair[]
  renamed: FilePair[]
  /** Unchanged, but some of their links may mean other notes now, or their line breaks are shown differently. */
  relinked: FilePair[]
  removed: KnownFile[]
  /** Written again with the same content. */
  touched: FilePair[]
}

/**
 * Files that must be read to detect their changes: those whose size or time differs, and, if other files are
 * missing, new ones, which may be the same under another name.
 */
export function suspectsOf(known: ReadonlyMap<string, KnownFile>, found: readonly FoundFile[]): FoundFile[] {
  const isAnyMissing = missingIn(known, found).length > 0
  return found.filter(({ path, size, modifiedAt }) => {
    const before = known.get(path)
    return before ? before.size !== size || before.modifiedAt !== modifiedAt : isAnyMissing
  })
}

/**
 * The steps that make the Safe contain the folder's files. `hashes` are those of the suspects; a file whose hash
 * is null cannot be read, and stays as it is.
 */
export function planOf(
  known: ReadonlyMap<string, KnownFile>,
  found: readonly FoundFile[],
  hashes: ReadonlyMap<string, string | null>,
): Plan {
  const plan: Plan = { added: [], changed: [], renamed: [], relinked: [], removed: [], touched: [] }
  const missing = missingIn(known, found)
  const missingBy = new Map<string, KnownFile[]>()
  for (const file of missing) {
    const alike = missingBy.get(file.contentHash)
    if (alike) alike.push(file)
    else missingBy.set(file.contentHash, [file])
  }
  const same: FilePair[] = []
  for (const file of found) {
    const hash = hashes.get(file.path)
    const before = known.get(file.path) ?? null
    const pair = { found: file, known: before }
    if (before) {
      if (typeof hash === 'string') (hash === before.contentHash ? plan.touched : plan.changed).push(pair)
      if (typeof hash !== 'string' || hash === before.contentHash) same.push(pair)
    } else if (hash !== null) {
      const from = missingBy.get(hash ?? '')?.pop()
      if (from) plan.renamed.push({ found: file, known: from })
      else plan.added.push(pair)
    }
  }
  plan.removed = [...missingBy.values()].flat()
  plan.relinked = [...new Set([...relinked(plan, same), ...same.filter(isShownOtherwise)])]
  return plan
}

function missingIn(known: ReadonlyMap<string, KnownFile>, found: readonly FoundFile[]): KnownFile[] {
  const paths = new Set(found.map(({ path }) => path))
  return [...known.values()].filter(({ path }) => !paths.has(path))
}

/** The others of these files whose links depend on which notes there are. */
function relinked({ added, renamed, removed }: Plan, same: readonly FilePair[]): FilePair[] {
  const arrived = [...added, ...renamed].map(({ found }) => found.path)
  const departed = [...removed, ...renamed.flatMap(({ known }) => known ?? [])].map(({ path }) => path)
  const names = new Set([...arrived, ...departed].filter(isNote).flatMap(namesOf))
  if (names.size === 0) return []
  return same.filter(({ known }) => {
    if (!known || !isNote(known.path)) return false
    return known.lookedUp === null || [...known.lookedUp].some(name => names.has(name))
  })
}

/** The settings of its vault have changed, or were unknown when it was read. */
function isShownOtherwise({ found, known }: FilePair): boolean {
  return known?.kind === (found.lineBreaks ? 'markdown' : 'markdown-lines')
}
