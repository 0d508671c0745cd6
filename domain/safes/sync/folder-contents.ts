import { constants, type Dirent, type ReadStream } from 'node:fs'
import { lstat, open, readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { lineBreaksIn, SETTINGS_FILE, SETTINGS_FOLDER } from '../../../engine/formats/index.js'
import { normalForm } from '../../../platform/common/normal-form.js'
import { safeErrors } from '../errors.js'
import { formatInside, isHidden, isMarkdown, isNote, MAX_FILES } from '../imports/import-files.js'
import type { LeftOut } from '../safe.js'
import type { FoundFile } from './plan.js'

const MAX_BYTES = 64 * 1024 * 1024

/** The contents of a folder to be synced into a Safe. */
export interface FolderContents {
  /** Ordered by path. */
  files: FoundFile[]
  leftOut: LeftOut
  /** The folder and its subfolders, to watch. */
  folders: string[]
}

/** Files that were found before, and the absolute paths that may have changed since. */
interface Earlier {
  files: readonly FoundFile[]
  changed: ReadonlySet<string>
}

/** Rules of a `.gitignore`, which apply to paths below its folder. */
interface Rules {
  /** Empty, or the path of its folder and a slash. */
  below: string
  ignore: Ignore
}

/**
 * The files of a folder that are synced. Left out are hidden files and `node_modules`, files matched by `.gitignore`,
 * files above 64 MiB, links, which are never followed, and formats that are not read. A folder that is left out counts
 * once. `isWanted` chooses among the files by their paths. `earlier`: the previous result; only files whose paths or
 * folders have changed since are read again.
 * @throws DomainError 409 when it cannot be read completely: its files would seem to be removed
 */
export async function contentsOf(
  folder: string,
  isWanted: (path: string) => boolean = () => true,
  earlier: Earlier = { files: [], changed: new Set() },
): Promise<FolderContents> {
  const unchanged = new Map(earlier.files.map(file => [file.path, file]))
  const root = await realpath(folder).catch(() => folder)
  const leftOut = { hidden: 0, ignored: 0, tooLarge: 0, links: 0, others: 0 }
  const found: FoundFile[] = []
  const folders: string[] = []
  const settings: (FoundFile | [])[] = []
  const visit = async (below: string, above: readonly Rules[], isNew = false): Promise<void> => {
    const entries = await entriesOf(root, below)
    folders.push(join(root, below.slice(0, -1)))
    const isChanged = (path: string) => isNew || earlier.changed.has(join(root, path))
    const file = (path: string) => (isChanged(path) ? null : unchanged.get(path)) ?? foundFile(root, path)
    const rules = await withRules(root, below, entries, above)
    const files: string[] = []
    for (const entry of entries) {
      const path = `${below}${entry.name}`
      const isFolder = entry.isDirectory()
      if (entry.name === SETTINGS_FOLDER && isFolder)
        settings.push((await foundFile(root, `${path}/${SETTINGS_FILE}`)) ?? [])
      if (isHidden(path)) leftOut.hidden++
      else if (isIgnored(rules, isFolder ? `${path}/` : path)) leftOut.ignored++
      else if (entry.isSymbolicLink()) leftOut.links++
      else if (isFolder) await visit(`${path}/`, rules, isChanged(path))
      else if (entry.isFile()) files.push(path)
    }
    for (const one of await Promise.all(files.map(file))) {
      if (one === null) continue
      if (one.size > MAX_BYTES) leftOut.tooLarge++
      else if (found.push(one) > MAX_FILES) throw safeErrors.folderTooLarge()
    }
  }
  await visit('', [])
  const wanted = found.filter(({ path }) => isWanted(path))
  const isVault = wanted.some(({ path }) => isNote(path))
  const hasLineBreaks = await lineBreaksIn(settings.flat())
  const files = wanted
    .filter(({ path }) => formatInside(path, isVault) !== null)
    .map(file => ({ ...file, lineBreaks: isMarkdown(file.path) && hasLineBreaks(file.path) }))
  leftOut.others = found.length - files.length
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { files, leftOut, folders }
}

async function entriesOf(root: string, below: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(join(root, below), { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (below !== '' && isMissing(error)) return []
    throw safeErrors.folderUnreadable(`The folder ${join(root, below)}`, (error as Error).message)
  }
}

async function withRules(root: string, below: string, entries: Dirent[], above: readonly Rules[]) {
  if (!entries.some(entry => entry.name === '.gitignore' && entry.isFile())) return above
  const text = await readFile(join(root, below, '.gitignore'), 'utf8')
  return [...above, { below, ignore: ignore().add(text) }]
}

/** The rules of the innermost folder with one for this path decide. */
function isIgnored(rules: readonly Rules[], path: string): boolean {
  for (const { below, ignore: rule } of rules.toReversed()) {
    const { ignored, unignored } = rule.test(path.slice(below.length))
    if (ignored || unignored) return ignored
  }
  return false
}

async function foundFile(root: string, path: string): Promise<FoundFile | null> {
  try {
    const { size, mtimeMs, ctimeMs } = await lstat(join(root, path))
    // Programs may set back the time of a file, but not that of its change.
    const modifiedAt = Math.floor(Math.max(mtimeMs, ctimeMs))
    return { path: normalForm(path, 'NFC'), size, modifiedAt, open: () => openInPlace(join(root, path)) }
  } catch (error) {
    if (isMissing(error)) return null
    throw safeErrors.folderUnreadable(join(root, path), (error as Error).message)
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** The bytes of a file of a folder. One that has become a link since it was listed is not followed. */
export async function bytesOf(file: string): Promise<ReadStream> {
  return (await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)).createReadStream()
}

/** The same, unless a folder on the way to the file has become a link. `file`: a path without links. */
async function openInPlace(file: string): Promise<ReadStream> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  const opened = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(file))
  if (opened === file) return handle.createReadStream()
  await handle.close()
  throw Object.assign(new Error(`${file} has moved.`), { code: 'ENOENT' })
}
