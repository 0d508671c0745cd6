import { errorsOf } from '../../platform/common/domain-error.js'
import { showNumber } from '../../platform/common/format.js'

/** The code of `tooLarge`. */
export const TOO_LARGE = 'safe_too_large'

/** Every error of Safes, for pages, assistants and the command line. Errors of questions are in `ask/`. */
export const safeErrors = errorsOf({
  ownerOnly: '403 owner_only: Only an owner of this Safe may do that.',
  lastOwner: '409 last_owner: A Safe must have at least one owner. Make another member an owner first.',
  invitationUsed:
    '410 link_used: This invitation has been used or revoked, has expired, or is for another e-mail address.',
  invalidName: (longest: number) =>
    `400 invalid_name: A Safe's name must have 1 to ${longest} characters and no control characters.`,
  unknownImportFormat: (format: string, known: string) =>
    `400 unknown_format: There is no format “${format}”. Formats: ${known}.`,
  undetectedFormat: (files: string) =>
    `400 unknown_format: We can’t read ${files}. Save what they hold as PDF, Word (.docx), CSV or text (.txt).`,
  /** `problem`: why, and what to do instead. */
  unreadableFile: (name: string, problem: string) => `400 unknown_format: ${name}: ${problem}`,
  unknownExportFormat: (format: string, known: string) =>
    `400 unknown_format: There is no export format “${format}”. Formats: ${known}.`,
  notStaged: '409 not_staged: This import is not waiting for approval.',
  merged: (day: string) =>
    `409 merged: Imports made before ${day} have been merged and can no longer be undone one by one.`,
  addedSince: (importId: number) =>
    `409 added_since: The Safe contains this file again, as import ${importId}.`,
  laterRun: (importId: number) =>
    `409 later_run: Import ${importId} of the same folder is newer. Undo it first.`,
  oldRun: '409 old_run: Only the newest 100 runs of the last 7 days can be undone.',
  folderName:
    '400 invalid_name: The name of a folder must have 1 to 200 characters and no control characters.',
  folderElsewhere: (name: string, folder: string) =>
    `409 folder_elsewhere: “${name}” is the folder ${folder}. Nothing was changed, because the two folders would overwrite each other. For another folder, choose a --name. If the same folder is on two machines, sync only one of them. If it has moved, confirm with --yes.`,
  removesMost: (name: string, removed: number, all: number) =>
    `409 removes_most: This would remove ${showNumber(removed)} of ${showNumber(all)} files of “${name}”. To do so, confirm with --yes.`,
  folderTooLarge: '409 folder_unreadable: There are more than 50,000 files in this folder.',
  folderUnreadable: (what: string, why: string) => `409 folder_unreadable: ${what} cannot be read: ${why}.`,
  folderGone: (folder: string) =>
    `409 folder_unreadable: There is no folder ${folder} on the server. The Safe keeps its documents.`,
  folderNotAllowed: (folder: string) => `400 folder_not_allowed: SYNC_FOLDERS does not include ${folder}.`,
  folderTaken: (name: string) => `409 folder_taken: A folder “${name}” is already kept in step.`,
  onlyAdmins: '403 forbidden: Only an administrator who owns this Safe may choose folders of the server.',
  folderChanged: (name: string) =>
    `409 folder_changed: A run of “${name}” was undone or restored during this one, which changed nothing.`,
  ownFolder: (name: string) =>
    `400 own_folder: “${name}” is reserved for notes of the Safe. Choose another --name.`,
  noteTitle: (longest: number) => `400 note_title: A note needs a title of at most ${longest} characters.`,
  noteText: (longest: number) =>
    `400 note_text: A note needs a text of at most ${showNumber(longest)} characters.`,
  noteTitleTaken: '409 note_title: There are too many notes with this title. Choose another one.',
  noteChanged:
    '409 note_changed: The note has been changed since you opened it. Copy your text, and open it again.',
  sameVersion: '409 same_version: The document already has the text of this version.',
  noteUnreadable: (problem: string) => `400 note_text: The note could not be read: ${problem}`,
  predicateName: '400 invalid_name: The name of a relation must have 1 to 1,000 characters.',
  manySingleValued: (most: number) =>
    `400 too_many: At most ${most} relations can have one value at a time. Remove one first.`,
  alreadyOne: (name: string) => `409 already_one: These names already belong to one thing: “${name}”.`,
  severalThings: (name: string, keys: readonly string[]) =>
    `409 several_things: Several things are called “${name}”. Use one of these keys: ${keys.join(', ')}.`,
  notMerged: (name: string) => `409 not_merged: Nothing was merged with “${name}”.`,
  tooManyRemoved: (most: number) =>
    `409 too_many: This Safe has ${showNumber(most)} removed facts and passages, which is the maximum.`,
  noName: '400 invalid_name: The name is empty.',
  hasName: (thing: string, name: string) => `409 has_name: “${thing}” is already called “${name}”.`,
  tooManyApart: '409 too_many: This Safe has 10,000 pairs marked as not the same, which is the maximum.',
  notAdded: (problem: string | null) =>
    `409 not_added: ${problem ?? 'The change could not be added. Please try again.'}`,
  changed: '409 changed: The Safe changed during the export. Please try again.',
  stopped: '503 stopped: The service was stopped.',
  /** Its index takes more memory than the build may use. */
  tooLarge: (mebibytes: number) =>
    `503 ${TOO_LARGE}: This Safe is too large: its index would need more than ${showNumber(mebibytes)} MiB of memory. Undo an import, or divide it into several Safes.`,
  badSample: (problem: string | null) => `500 bad_sample: The sample: ${problem}`,
  tooManyWaiting: (most: number) =>
    `429+60 too_many_files: ${most} of your files are waiting to be read. Add more when some have been read.`,
  folderBusy: (name: string, seconds: number) =>
    `409+${seconds} folder_busy: Another run is updating “${name}”. If it was stopped, try again in ${seconds} s.`,
  notesBusy: '409+5 notes_busy: Another note of this Safe is being written. Please try again.',
})
