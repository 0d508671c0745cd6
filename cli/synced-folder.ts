import type { Dirent } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import {
  formatInside,
  isHidden,
  isMarkdown,
  isNote,
  MAX_FILES,
} from '../domain/safes/imports/import-files.js'
import type { LeftOut } from '../domain/safes/safe.js'
import type { FoundFile } from '../domain/safes/sync/plan.js'
import { lineBreaksIn, SETTINGS_FILE, SETTINGS_FOLDER } from '../engine/formats/index.js'
import { normalForm } from '../platform/common/normal-form.js'
import { CommandError } from './command.js'
import { bytesOf } from './folder.js'

const MAX_BYTES = 64 * 1024 * 1024

/** What a folder contains that a Safe is to be kept in step with. */
export interface FolderContents {
  /** Ordered by path. */
  files: FoundFile[]
  leftOut: LeftOut
  /** The folder and those in it, to watch. */
  folders: string[]
}

/** Rules of a `.gitignore`, which apply to paths below its folder. */
interface Rules {
  /** Empty, or the path of its folder and a slash. */
  below: string
  ignore: Ignore
}

/**
 * The files of a folder that are kept in step. Left out are hidden files and `node_modules`, what `.gitignore`
 * files say, files above 64 MiB, links, which are never followed, and formats that are not read. A folder that is
 * left out counts once. `isWanted` chooses among the files by their paths.
 * @throws CommandError when it cannot be read completely: its files would seem to be removed
 */
export async function contentsOf(
  root: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<FolderContents> {
  const leftOut = { hidden: 0, ignored: 0, tooLarge: 0, links: 0, others: 0 }
  const found: FoundFile[] = []
  const folders: string[] = []
  const settings: (FoundFile | [])[] = []
  const visit = async (below: string, above: readonly Rules[]): Promise<void> => {
    const entries = await entriesOf(root, below)
    folders.push(join(root, below.slice(0, -1)))
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
      else if (isFolder) await visit(`${path}/`, rules)
      else if (entry.isFile()) files.push(path)
    }
    for (const file of await Promise.all(files.map(path => foundFile(root, path)))) {
      if (file === null) continue
      if (file.size > MAX_BYTES) leftOut.tooLarge++
      else if (found.push(file) > MAX_FILES)
        throw new CommandError('There are more than 50,000 files in this folder.')
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
    throw new CommandError(`The folder ${join(root, below)} cannot be read: ${(error as Error).message}.`)
  }
}

async function withRules(root: string, below: string, entries: Dirent[], above: readonly Rules[]) {
  if (!entries.some(entry => entry.name === '.gitignore' && entry.isFile())) return above
  const text = await readFile(join(root, below, '.gitignore'), 'utf8')
  return [...above, { below, ignore: ignore().add(text) }]
}

/** The rules of the innermost folder that has one for this path decide. */
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
    // Programs may set the time of a file back, but not that of its change.
    const modifiedAt = Math.floor(Math.max(mtimeMs, ctimeMs))
    return { path: normalForm(path, 'NFC'), size, modifiedAt, open: () => bytesOf(join(root, path)) }
  } catch (error) {
    if (isMissing(error)) return null
    throw new CommandError(`${join(root, path)} cannot be read: ${(error as Error).message}.`)
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
