import { wholeOf } from '../shared/whole-file.js'

/** Display settings of an Obsidian vault, which is the folder above. */
const SETTINGS = /(?:^|\/)\.obsidian\/app\.json$/
export const SETTINGS_FOLDER = '.obsidian'
export const SETTINGS_FILE = 'app.json'
/** Settings are a few hundred bytes. */
const MAX_MIB = 1 / 16

/** A file of a folder. */
export interface NoteFile {
  path: string
  open(): Promise<AsyncIterable<Uint8Array>>
}

/** Whether a file contains the display settings of a vault. */
export const isVaultSettings = (path: string): boolean => SETTINGS.test(path)

/**
 * Whether line breaks in a note are shown, as Obsidian does unless strict line breaks are turned on in the settings of
 * its vault. The innermost vault that contains the note decides; notes outside of a vault follow CommonMark.
 */
export async function lineBreaksIn(files: readonly NoteFile[]): Promise<(path: string) => boolean> {
  const vaults: { folder: string; isLined: boolean }[] = []
  for (const { path, open } of files)
    if (isVaultSettings(path))
      vaults.push({ folder: path.replace(SETTINGS, '/').replace(/^\//, ''), isLined: await isLined(open) })
  vaults.sort((one, other) => other.folder.length - one.folder.length)
  return path => vaults.find(({ folder }) => path.startsWith(folder))?.isLined ?? false
}

/** Settings that cannot be read are ignored. */
async function isLined(open: NoteFile['open']): Promise<boolean> {
  try {
    const whole = await wholeOf(await open(), 'file', MAX_MIB)
    return JSON.parse(whole.toString('utf8')).strictLineBreaks !== true
  } catch {
    return true
  }
}
