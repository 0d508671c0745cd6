import { DomainError } from '../../platform/common/domain-error.js'
import { showNumber } from '../../platform/common/format.js'

const messages = {
  ownerOnly: 'Only an owner of this Safe may do that.',
  lastOwner: 'A Safe must have at least one owner. Make another member an owner first.',
  invitationUsed: 'This invitation has been used or revoked, has expired, or is for another e-mail address.',
  invalidName: (longest: number) =>
    `A Safe's name must have 1 to ${longest} characters and no control characters.`,
  unknownImportFormat: (format: string, known: string) =>
    `There is no format “${format}”. Formats: ${known}.`,
  undetectedFormat: (files: string, known: string) => `We can’t read ${files}. Supported: ${known}.`,
  unreadableFile: (name: string, problem: string) => `${name}: ${problem}`,
  unknownExportFormat: (format: string, known: string) =>
    `There is no export format “${format}”. Formats: ${known}.`,
  tooManyWaiting: (most: number) =>
    `${most} of your files are waiting to be read. Add more when some have been read.`,
  notStaged: 'This import is not waiting for approval.',
  merged: (day: string) =>
    `Imports made before ${day} have been merged and can no longer be undone one by one.`,
  addedSince: (importId: number) => `The Safe contains this file again, as import ${importId}.`,
  laterRun: (importId: number) => `Import ${importId} of the same folder is newer. Undo it first.`,
  oldRun: 'Only the newest 100 runs of the last 7 days can be undone.',
  folderName: 'The name of a folder must have 1 to 200 characters and no control characters.',
  folderBusy: (name: string, seconds: number) =>
    `Another run is updating “${name}”. If it was stopped, try again in ${seconds} s.`,
  folderElsewhere: (name: string, folder: string) =>
    `“${name}” is the folder ${folder}. Nothing was changed, because the two folders would overwrite each other. For another folder, choose a --name. If the same folder is on two machines, sync only one of them. If it has moved, confirm with --yes.`,
  removesMost: (name: string, removed: number, all: number) =>
    `This would remove ${showNumber(removed)} of ${showNumber(all)} files of “${name}”. To do so, confirm with --yes.`,
  folderChanged: (name: string) =>
    `A run of “${name}” was undone or restored during this one, which changed nothing.`,
  ownFolder: (name: string) => `“${name}” is reserved for notes of the Safe. Choose another --name.`,
  noteTitle: (longest: number) => `A note needs a title of at most ${longest} characters.`,
  noteText: (longest: number) => `A note needs a text of at most ${showNumber(longest)} characters.`,
  noteTitleTaken: 'There are too many notes with this title. Choose another one.',
  noteChanged: 'The note has been changed since you opened it. Copy your text, and open it again.',
  noteUnreadable: (problem: string) => `The note could not be read: ${problem}`,
  notesBusy: 'Another note of this Safe is being written. Please try again.',
  predicateName: 'The name of a relation must have 1 to 1,000 characters.',
  manySingleValued: (most: number) =>
    `At most ${most} relations can have one value at a time. Remove one first.`,
  alreadyOne: (name: string) => `These names already belong to one thing: “${name}”.`,
  severalThings: (name: string, keys: readonly string[]) =>
    `Several things are called “${name}”. Use one of these keys: ${keys.join(', ')}.`,
  notMerged: (name: string) => `Nothing was merged with “${name}”.`,
  tooManyRemoved: (most: number) =>
    `This Safe has ${showNumber(most)} removed facts and passages, which is the maximum.`,
  noName: 'The name is empty.',
  hasName: (thing: string, name: string) => `“${thing}” is already called “${name}”.`,
  tooManyApart: 'This Safe has 10,000 pairs marked as not the same, which is the maximum.',
  notAdded: (problem: string | null) => problem ?? 'The change could not be added. Please try again.',
  changed: 'The Safe changed during the export. Please try again.',
  stopped: 'The service was stopped.',
  tooLarge: (mebibytes: number) =>
    `This Safe is too large: its index would need more than ${showNumber(mebibytes)} MiB of memory. Undo an import, or divide it into several Safes.`,
  badSample: (problem: string | null) => `The sample: ${problem}`,
}

/** The code of `tooLarge`. */
export const TOO_LARGE = 'safe_too_large'

/** Every error of Safes, for pages, assistants and the command line. Errors of questions are in `ask/`. */
export const safeErrors = {
  ownerOnly: () => new DomainError(403, 'owner_only', messages.ownerOnly),
  lastOwner: () => new DomainError(409, 'last_owner', messages.lastOwner),
  invitationUsed: () => new DomainError(410, 'link_used', messages.invitationUsed),
  invalidName: (longest: number) => new DomainError(400, 'invalid_name', messages.invalidName(longest)),
  unknownImportFormat: (format: string, known: string) =>
    new DomainError(400, 'unknown_format', messages.unknownImportFormat(format, known)),
  undetectedFormat: (files: string, known: string) =>
    new DomainError(400, 'unknown_format', messages.undetectedFormat(files, known)),
  /** `problem`: why, and what to do instead. */
  unreadableFile: (name: string, problem: string) =>
    new DomainError(400, 'unknown_format', messages.unreadableFile(name, problem)),
  unknownExportFormat: (format: string, known: string) =>
    new DomainError(400, 'unknown_format', messages.unknownExportFormat(format, known)),
  tooManyWaiting: (most: number) => new DomainError(429, 'too_many_files', messages.tooManyWaiting(most), 60),
  notStaged: () => new DomainError(409, 'not_staged', messages.notStaged),
  merged: (day: string) => new DomainError(409, 'merged', messages.merged(day)),
  addedSince: (importId: number) => new DomainError(409, 'added_since', messages.addedSince(importId)),
  laterRun: (importId: number) => new DomainError(409, 'later_run', messages.laterRun(importId)),
  oldRun: () => new DomainError(409, 'old_run', messages.oldRun),
  folderName: () => new DomainError(400, 'invalid_name', messages.folderName),
  folderBusy: (name: string, seconds: number) =>
    new DomainError(409, 'folder_busy', messages.folderBusy(name, seconds), seconds),
  folderElsewhere: (name: string, folder: string) =>
    new DomainError(409, 'folder_elsewhere', messages.folderElsewhere(name, folder)),
  removesMost: (name: string, removed: number, all: number) =>
    new DomainError(409, 'removes_most', messages.removesMost(name, removed, all)),
  folderChanged: (name: string) => new DomainError(409, 'folder_changed', messages.folderChanged(name)),
  ownFolder: (name: string) => new DomainError(400, 'own_folder', messages.ownFolder(name)),
  noteTitle: (longest: number) => new DomainError(400, 'note_title', messages.noteTitle(longest)),
  noteText: (longest: number) => new DomainError(400, 'note_text', messages.noteText(longest)),
  noteTitleTaken: () => new DomainError(409, 'note_title', messages.noteTitleTaken),
  noteChanged: () => new DomainError(409, 'note_changed', messages.noteChanged),
  noteUnreadable: (problem: string) => new DomainError(400, 'note_text', messages.noteUnreadable(problem)),
  notesBusy: () => new DomainError(409, 'notes_busy', messages.notesBusy, 5),
  predicateName: () => new DomainError(400, 'invalid_name', messages.predicateName),
  manySingleValued: (most: number) => new DomainError(400, 'too_many', messages.manySingleValued(most)),
  alreadyOne: (name: string) => new DomainError(409, 'already_one', messages.alreadyOne(name)),
  severalThings: (name: string, keys: readonly string[]) =>
    new DomainError(409, 'several_things', messages.severalThings(name, keys)),
  notMerged: (name: string) => new DomainError(409, 'not_merged', messages.notMerged(name)),
  tooManyRemoved: (most: number) => new DomainError(409, 'too_many', messages.tooManyRemoved(most)),
  noName: () => new DomainError(400, 'invalid_name', messages.noName),
  hasName: (thing: string, name: string) => new DomainError(409, 'has_name', messages.hasName(thing, name)),
  tooManyApart: () => new DomainError(409, 'too_many', messages.tooManyApart),
  notAdded: (problem: string | null) => new DomainError(409, 'not_added', messages.notAdded(problem)),
  changed: () => new DomainError(409, 'changed', messages.changed),
  stopped: () => new DomainError(503, 'stopped', messages.stopped),
  /** Its index takes more memory than building it may use. */
  tooLarge: (mebibytes: number) => new DomainError(503, TOO_LARGE, messages.tooLarge(mebibytes)),
  badSample: (problem: string | null) => new DomainError(500, 'bad_sample', messages.badSample(problem)),
}
