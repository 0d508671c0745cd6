import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { EXPORT_MARK, type ImportFiles, isHidden, MAX_FILES } from '../domain/safes/imports/import-files.js'
import { bytesOf } from '../domain/safes/sync/folder-contents.js'
import { SETTINGS_FILE, SETTINGS_FOLDER } from '../engine/formats/index.js'
import { normalForm } from '../platform/common/normal-form.js'
import { CommandError } from './command.js'

/**
 * The files below a folder, ordered by path, so that the same folder gives the same import. Hidden files and links are left
 * out; a hidden folder counts once.
 * @throws CommandError if there are too many
 */
export async function filesOf(folder: string): Promise<ImportFiles> {
  const found = { files: [], problems: [], hidden: 0, links: 0 } as ImportFiles &
    Record<'hidden' | 'links', number>
  for await (const { path, isLink } of walk(folder, '')) {
    if (path === EXPORT_MARK && !isLink) found.isExport = true
    if (isHidden(path)) {
      found.hidden++
      continue
    }
    if (found.files.length >= MAX_FILES)
      throw new CommandError('There are more than 50,000 files in this folder.')
    if (isLink) found.links++
    else found.files.push({ path: normalForm(path, 'NFC'), open: () => bytesOf(join(folder, path)) })
  }
  return found
}

async function* walk(root: string, below: string): AsyncGenerator<{ path: string; isLink: boolean }> {
  const entries = await readdir(join(root, below), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) {
      if (isHidden(path)) yield { path, isLink: false }
      else yield* walk(root, path)
      if (entry.name === SETTINGS_FOLDER) yield* settingsIn(root, path)
    } else if (entry.isFile() || entry.isSymbolicLink()) yield { path, isLink: entry.isSymbolicLink() }
  }
}

/** How notes are shown in an Obsidian vault, the only one of its settings that is read. */
async function* settingsIn(root: string, folder: string): AsyncGenerator<{ path: string; isLink: boolean }> {
  const path = `${folder}/${SETTINGS_FILE}`
  const found = await lstat(join(root, path)).catch(() => null)
  if (found?.isFile()) yield { path, isLink: false }
}
