import { extensionOf } from '../../formats/readers/file-name.js'
import type { Format } from '../../formats/readers/format.js'
import { findFormat } from '../../formats/readers/index.js'

/** One of several files read as one import. */
export interface ImportFile {
  /** Relative to the folder or archive, with slashes. */
  path: string
  open(): Promise<AsyncIterable<Uint8Array>>
}

/** A folder or an archive. */
export interface ImportFiles {
  files: ImportFile[]
  /** Files that should be read but cannot be. */
  problems: { file: string; problem: string }[]
}

/** Bounds the memory for paths. */
export const MAX_FILES = 50_000

/**
 * The format of a file in a folder or archive, or null to ignore it. A folder with notes is a vault, and only
 * its notes are read, not attachments, settings or scripts.
 */
export function formatInside(path: string, isVault: boolean): Format | null {
  const format = findFormat(extensionOf(path))
  return isVault && format?.id !== 'markdown' ? null : format
}

export const isNote = (path: string) => findFormat(extensionOf(path))?.id === 'markdown'

/** Whether the path is inside a hidden folder: `.obsidian`, `.git`, `__MACOSX`, Logseq's own copies. */
export const isHidden = (path: string) =>
  path.split('/').some(name => /^\.[^.]/.test(name) || name === '__MACOSX') ||
  /^logseq\/(?:bak|\.recycle)\//.test(path)
