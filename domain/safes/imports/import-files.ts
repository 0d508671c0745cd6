import {
  extensionOf,
  type Format,
  formatOfFile,
  image,
  isImage,
  isNotion,
  isVaultSettings,
} from '../../../engine/formats/index.js'

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
  /** Exported by this service with other documents than notes: every file is read (`EXPORT_MARK`). */
  isExport?: boolean
  /** Number of hidden files and symbolic links that are left out. */
  hidden?: number
  links?: number
}

/** Files of an imported folder or archive that are left out for one reason. */
export interface LeftOutFiles {
  /**
   * `beside_notes`: text and data, in a folder of notes; `beside_chats`: in an export of chats; `unknown`: of no known
   * format; `unreadable`: documents in a folder of notes that cannot be read, such as a scan.
   */
  reason: 'hidden' | 'links' | 'beside_notes' | 'beside_chats' | 'unknown' | 'unreadable'
  count: number
  /** The first extensions, without the dot. */
  endings: string[]
  /** The first of the files whose extension does not show the reason. */
  names?: string[]
}

/** A hidden file at the top of an export as Markdown that is not only notes (ADR 16). */
export const EXPORT_MARK = '.safe-export.json'

/** Maximum paths; bounds their memory. */
export const MAX_FILES = 50_000

/** Formats often kept with notes. Text and data there are mostly of programs: settings, scripts, tests. */
const BESIDE_NOTES = new Set(
  'pdf docx odt rtf pptx odp xlsx ods epub mail mbox outlook calendar contacts evernote canvas'.split(' '),
)

/**
 * The format of a file in a folder or archive, or null to ignore it. A folder with notes is a vault: its notes, their
 * pictures and other documents are read.
 */
export function formatInside(path: string, isVault: boolean): Format | null {
  if (isImage(path)) return image
  const format = formatOfFile(path)
  return isVault && format && !isNoteFormat(format) && !BESIDE_NOTES.has(format.id) ? null : format
}

/** Files beside the conversations in the exports of ChatGPT, Claude and Slack. */
const BESIDE_CONVERSATIONS = /(?:^|\/)(?:chat\.html|export_manifest\.json|users?\.json)$/
/** Lists of channels and people of a Slack export; only the people are read, before everything else. */
const SLACK_LISTS = /^(?:channels|groups|dms|mpims|integration_logs|canvases|file_conversations|lists)\.json$/

/** Whether files of this format are read in a folder of notes without being notes. Unreadable ones are left out there. */
export const isReadBesideNotes = ({ id }: Format): boolean => BESIDE_NOTES.has(id)

/** The files of a folder or archive that are read, each in its format, and the others by reason. */
interface ChosenFiles {
  /** `isBesideNotes`: left out if unreadable. */
  read: { file: ImportFile; format: Format; isBesideNotes: boolean }[]
  leftOut: LeftOutFiles[]
}

/**
 * Chooses the files of a folder or archive that matter. From a chat export it chooses only the conversations: the other
 * files are copies of them, settings or attachments. From a folder with notes it chooses only notes and documents.
 */
export function chooseFiles({ files, hidden = 0, links = 0, isExport = false }: ImportFiles): ChosenFiles {
  const chosen: ChosenFiles = { read: [], leftOut: [] }
  const exported = new Set(
    files.filter(({ path }) => BESIDE_CONVERSATIONS.test(path)).map(({ path }) => folderOf(path)),
  )
  const slackFolder = slackFolderOf(files)
  const isSlack = ({ path }: ImportFile) =>
    slackFolder !== null &&
    (path === `${slackFolder}users.json` ||
      (path.startsWith(slackFolder) && formatOfFile(path)?.id === 'slack'))
  const isConversation = (file: ImportFile) =>
    isSlack(file) || (exported.has(folderOf(file.path)) && formatOfFile(file.path)?.id === 'chats')
  const isOfChats = !isExport && files.some(isConversation)
  const isVault = !isExport && !isOfChats && files.some(({ path }) => isNote(path))
  const keepNotes = keepNotesIn(files.map(({ path }) => path))
  const isOfPages = files.some(({ path }) => isNotion(path) && path.endsWith('.html'))
  for (const file of files) {
    // They only configure how notes are shown.
    if (isVaultSettings(file.path)) continue
    const isBeside = isOfChats && !isConversation(file)
    // Takeout writes each note of Keep twice, and a list of their labels.
    const isCopy =
      (keepNotes.has(file.path.replace(/\.html$/, '.json')) && file.path.endsWith('.html')) ||
      (keepNotes.size > 0 && LABELS.test(file.path)) ||
      (files.length > 1 && TAKEOUT_LIST.test(file.path)) ||
      (isOfPages && isListOfPages(file.path))
    const format = isBeside || isCopy ? null : formatInside(file.path, isVault)
    if (format) chosen.read.push({ file, format, isBesideNotes: isVault && isReadBesideNotes(format) })
    else if (isBeside) leaveOut(chosen.leftOut, 'beside_chats', file.path)
    else leaveOut(chosen.leftOut, formatOfFile(file.path) ? 'beside_notes' : 'unknown', file.path)
  }
  if (chosen.read.every(({ format }) => format === image)) {
    // Shown nowhere.
    for (const { file } of chosen.read) leaveOut(chosen.leftOut, 'unknown', file.path)
    chosen.read = []
  }
  if (hidden > 0) chosen.leftOut.push({ reason: 'hidden', count: hidden, endings: [] })
  if (links > 0) chosen.leftOut.push({ reason: 'links', count: links, endings: [] })
  if (slackFolder !== null)
    chosen.read.sort((one, other) => Number(isPeople(other.file)) - Number(isPeople(one.file)))
  return chosen
}

/** Takeout's own lists. */
const TAKEOUT_LIST = /(?:^|\/)archive_browser\.html$/
/** The labels of Google Keep; each note contains its own. */
const LABELS = /(?:^|\/)Labels\.txt$/

/** The notes of Google Keep: in Takeout's folder, or in one with its list of labels. */
function keepNotesIn(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set(paths.filter(path => LABELS.test(path)).map(folderOf))
  const isKeep = (folder: string) => /(?:^|\/)Keep\/$/.test(folder) || folders.has(folder)
  return new Set(paths.filter(path => path.endsWith('.json') && isKeep(folderOf(path))))
}

/** Whether a file of a Notion web page export lists pages: all of them, or those of a database, which has its own page. */
const isListOfPages = (path: string) =>
  isNotion(path) ? path.endsWith('.csv') : /(?:^|\/)index\.html$/.test(path)

const isPeople = ({ path }: ImportFile) => /(?:^|\/)users\.json$/.test(path)

/** The folder, with a slash or empty, that holds a Slack export, or null. */
function slackFolderOf(files: readonly ImportFile[]): string | null {
  const people = files.find(isPeople)
  if (!people) return null
  const folder = folderOf(people.path)
  const isBeside = ({ path }: ImportFile) =>
    path.startsWith(folder) && SLACK_LISTS.test(path.slice(folder.length))
  return files.some(isBeside) ? folder : null
}

/** Extensions and names listed for one reason. */
const MAX_ENDINGS = 8
/** Longer ones are the end of a sentence with a dot in it. */
const MAX_ENDING_LENGTH = 20
const MAX_NAME_LENGTH = 100

/** Counts a file that turned out to be of an unknown kind, or unreadable, only when it was read. */
export function leaveOutNamed(leftOut: LeftOutFiles[], reason: 'unknown' | 'unreadable', path: string): void {
  const entry = countOne(leftOut, reason)
  entry.names ??= []
  if (entry.names.length < MAX_ENDINGS) entry.names.push(path.slice(-MAX_NAME_LENGTH))
}

function leaveOut(leftOut: LeftOutFiles[], reason: LeftOutFiles['reason'], path: string): void {
  const entry = countOne(leftOut, reason)
  const ending = extensionOf(path)
  const isNew = ending !== '' && ending.length <= MAX_ENDING_LENGTH && !entry.endings.includes(ending)
  if (isNew && entry.endings.length < MAX_ENDINGS) entry.endings.push(ending)
}

/** Counts a file that is left out, and returns the entry for its reason. */
function countOne(leftOut: LeftOutFiles[], reason: LeftOutFiles['reason']): LeftOutFiles {
  const known = leftOut.find(other => other.reason === reason)
  const entry = known ?? { reason, count: 0, endings: [] }
  if (!known) leftOut.push(entry)
  entry.count++
  return entry
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

/** Whether a file is a note of Markdown, Org mode or TiddlyWiki, by its name. */
export const isNote = (path: string) => isNoteFormat(formatOfFile(path))

/** Whether a file is Markdown, by its name. */
export const isMarkdown = (path: string) => formatOfFile(path)?.id === 'markdown'

const NOTES: ReadonlySet<string> = new Set(['markdown', 'org', 'tiddlywiki'])

const isNoteFormat = (format: Format | null) => format !== null && NOTES.has(format.id)

/**
 * Whether the path is inside a folder that people do not open: `.obsidian` (except settings of a vault), `.git`,
 * `__MACOSX`, `node_modules`, Logseq's own copies.
 */
export const isHidden = (path: string): boolean =>
  isVaultSettings(path)
    ? isHidden(path.replace(/\/?\.obsidian\/app\.json$/, ''))
    : path.split('/').some(name => /^\.[^.]|^(?:__MACOSX|node_modules)$/.test(name)) ||
      /^logseq\/(?:bak|\.recycle)\//.test(path)
