import { constants, type Dirent, lstatSync, type ReadStream } from 'node:fs'
import { lstat, open, readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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

/** A folder of the tree as it was read. */
interface ListedFolder {
  found: FoundFile[]
  /** Paths of its subfolders, with a slash at the end. */
  inside: string[]
  rules: readonly Rules[]
  leftOut: (keyof LeftOut)[]
  /** The path of a vault's settings in it. */
  settings: string[]
  /** The files that are synced, in the circumstances `isFor`. */
  chosen?: { isFor: string; files: FoundFile[] }
}

/** Folders that were read before, by their paths, and the absolute paths that may have changed since; null: all. */
export interface Earlier {
  folders: Map<string, ListedFolder>
  changed: ReadonlySet<string> | null
  /** Whether this process has nothing else to do than to wait for the disk: a fifth of the processor time. */
  waits?: boolean
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
 * once. `isWanted` chooses among the files by their paths. `earlier`: only folders with changes are read again, and of
 * their files those that have changed; it then holds what was read.
 * @throws DomainError 409 when it cannot be read completely: its files would seem to be removed
 */
export async function contentsOf(
  folder: string,
  isWanted: (path: string) => boolean = () => true,
  earlier: Earlier = { folders: new Map(), changed: null },
): Promise<FolderContents> {
  const root = await realpath(folder).catch(() => folder)
  const { folders: before, changed, waits } = earlier
  const folders: Earlier['folders'] = new Map()
  let count = 0
  // After an error, everything is read again.
  earlier.folders = new Map()
  const changedIn = new Set([...(changed ?? [])].map(path => dirname(path)))
  const isChanged = (path: string) => changed?.has(join(root, path)) ?? true
  const visit = async (below: string, above: readonly Rules[], isNew: boolean): Promise<void> => {
    const known = isNew ? undefined : before.get(below)
    const read = () => {
      const files = new Map(known?.found.map(file => [file.path, file]))
      const file = (path: string) => (isChanged(path) ? null : files.get(path))
      return listedFolder(root, below, above, path => file(path) ?? foundFile(root, path, waits))
    }
    const isSame = known && !changedIn.has(join(root, below.slice(0, -1)))
    const listed = isSame ? known : await read()
    count += listed.found.length
    if (count > MAX_FILES) throw safeErrors.folderTooLarge()
    folders.set(below, listed)
    const areNew = !known || isChanged(`${below}.gitignore`)
    for (const path of listed.inside) await visit(path, listed.rules, areNew || isChanged(path.slice(0, -1)))
  }
  await visit('', [], isChanged(''))
  const all = [...folders.values()]
  const chosen = await chosenIn(root, all, isWanted)
  earlier.folders = folders
  return { ...chosen, folders: [...folders.keys()].map(below => join(root, below.slice(0, -1))) }
}

/** The files of all folders that are synced, and what was left out. */
async function chosenIn(root: string, folders: readonly ListedFolder[], isWanted: (path: string) => boolean) {
  const settings = await Promise.all(folders.flatMap(one => one.settings.map(path => foundFile(root, path))))
  const isVault = folders.some(({ found }) => found.some(({ path }) => isNote(path) && isWanted(path)))
  const hasLineBreaks = await lineBreaksIn(settings.flatMap(file => file ?? []))
  const isFor = JSON.stringify([isVault, settings])
  const leftOut = { hidden: 0, ignored: 0, tooLarge: 0, links: 0, others: 0 }
  const choose = ({ found }: ListedFolder) =>
    found
      .filter(({ path }) => isWanted(path) && formatInside(path, isVault) !== null)
      .map(file => ({ ...file, lineBreaks: isMarkdown(file.path) && hasLineBreaks(file.path) }))
  const files: FoundFile[] = []
  for (const one of folders) {
    if (one.chosen?.isFor !== isFor) one.chosen = { isFor, files: choose(one) }
    for (const reason of one.leftOut) leftOut[reason]++
    leftOut.others += one.found.length - one.chosen.files.length
    files.push(...one.chosen.files)
  }
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), leftOut }
}

async function listedFolder(
  root: string,
  below: string,
  above: readonly Rules[],
  file: (path: string) => FoundFile | Promise<FoundFile | null>,
): Promise<ListedFolder> {
  const entries = await entriesOf(root, below)
  const rules = await withRules(root, below, entries, above)
  const listed: ListedFolder = { found: [], inside: [], rules, leftOut: [], settings: [] }
  const files: string[] = []
  for (const entry of entries) {
    const path = `${below}${entry.name}`
    const isFolder = entry.isDirectory()
    if (entry.name === SETTINGS_FOLDER && isFolder) listed.settings.push(`${path}/${SETTINGS_FILE}`)
    if (isHidden(path)) listed.leftOut.push('hidden')
    else if (isIgnored(rules, isFolder ? `${path}/` : path)) listed.leftOut.push('ignored')
    else if (entry.isSymbolicLink()) listed.leftOut.push('links')
    else if (isFolder) listed.inside.push(`${path}/`)
    else if (entry.isFile()) files.push(path)
  }
  for (const one of await Promise.all(files.map(file))) {
    if (one && one.size > MAX_BYTES) listed.leftOut.push('tooLarge')
    else if (one) listed.found.push(one)
  }
  return listed
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

async function foundFile(root: string, path: string, waits = false): Promise<FoundFile | null> {
  try {
    const at = join(root, path)
    const { size, mtimeMs, ctimeMs } = waits ? lstatSync(at) : await lstat(at)
    // Programs may set back the time of a file, but not that of its change.
    const modifiedAt = Math.floor(Math.max(mtimeMs, ctimeMs))
    return { path: normalForm(path, 'NFC'), size, modifiedAt, open: () => openInPlace(at) }
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
