import type { Format } from '../../formats/readers/format.js'
import { formatOfFile } from '../../formats/readers/index.js'

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
  /** Exported by this service, with other documents than notes: every file is read (`EXPORT_MARK`). */
  isExport?: boolean
}

/** A hidden file at the top of an export as Markdown that is not only notes (ADR 83). */
export const EXPORT_MARK = '.safe-export.json'

/** Bounds the memory for paths. */
export const MAX_FILES = 50_000

/**
 * The format of a file in a folder or archive, or null to ignore it. A folder with notes is a vault, and only
 * its notes are read, not attachments, settings or scripts.
 */
export function formatInside(path: string, isVault: boolean): Format | null {
  const format = formatOfFile(path)
  return isVault && format?.id !== 'markdown' ? null : format
}

/** Files beside the conversations in the exports of ChatGPT and Claude. */
const besideConversations = /(?:^|\/)(?:chat\.html|export_manifest\.json|users?\.json)$/

/**
 * The files that a folder or archive is about. Of an export of chats only the conversations are read, because
 * its other files repeat them, are settings, or were attached to them.
 */
export function filesToRead({ files, isExport = false }: ImportFiles): readonly ImportFile[] {
  if (isExport) return files
  const exported = new Set(
    files.filter(({ path }) => besideConversations.test(path)).map(({ path }) => folderOf(path)),
  )
  const conversations = files.filter(
    ({ path }) => exported.has(folderOf(path)) && formatOfFile(path)?.id === 'chats',
  )
  return conversations.length > 0 ? conversations : files
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

export const isNote = (path: string) => formatOfFile(path)?.id === 'markdown'

/** Whether the path is inside a hidden folder: `.obsidian`, `.git`, `__MACOSX`, Logseq's own copies. */
export const isHidden = (path: string) =>
  path.split('/').some(name => /^\.[^.]/.test(name) || name === '__MACOSX') ||
  /^logseq\/(?:bak|\.recycle)\//.test(path)
