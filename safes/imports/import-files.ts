import { extensionOf } from '../../formats/readers/file-name.js'
import type { Format } from '../../formats/readers/format.js'
import { findFormat } from '../../formats/readers/index.js'

/** One of several files that are read as one import. */
export interface ImportFile {
  /** Relative to the folder or archive, with slashes. */
  path: string
  open(): Promise<AsyncIterable<Uint8Array>>
}

/** A folder or an archive. */
export interface ImportFiles {
  files: ImportFile[]
  /** What stands in it and will not be read, though it should. */
  problems: { file: string; problem: string }[]
}

/** Paths; more would take memory to remember. */
export const MAX_FILES = 50_000

/**
 * The format of a file in a folder or archive; null for what is left aside. A folder with notes is a vault: of its other
 * files (attachments, settings, scripts) nothing is read.
 */
export function formatInside(path: string, isVault: boolean): Format | null {
  const format = findFormat(extensionOf(path))
  return isVault && format?.id !== 'markdown' ? null : format
}

export const isNote = (path: string) => findFormat(extensionOf(path))?.id === 'markdown'

/** Whether the path leads through what programs hide: `.obsidian`, `.git`, `__MACOSX`, Logseq's own copies. */
export const isHidden = (path: string) =>
  path.split('/').some(name => /^\.[^.]/.test(name) || name === '__MACOSX') ||
  /^logseq\/(?:bak|\.recycle)\//.test(path)
