import { DomainError } from '../common/domain-error.js'

const messages = {
  ownerOnly: 'Only an owner of this Safe may do that.',
  lastOwner: 'A Safe must have at least one owner. Make another member an owner first.',
  invitationUsed: 'This invitation has been used or revoked, has expired, or is for another e-mail address.',
  invalidName: (longest: number) =>
    `A Safe's name must have 1 to ${longest} characters and no control characters.`,
  unknownImportFormat: (format: string, known: string) =>
    `There is no format “${format}”. Formats: ${known}.`,
  undetectedFormat: (files: string, known: string) => `We can’t read ${files}. Supported: ${known}.`,
  unknownExportFormat: (format: string, known: string) =>
    `There is no export format “${format}”. Formats: ${known}.`,
  notStaged: 'This import is not waiting for approval.',
  merged: (day: string) =>
    `Imports made before ${day} have been merged and can no longer be undone one by one.`,
  addedSince: (importId: number) => `The Safe contains this file again, as import ${importId}.`,
  changed: 'The Safe changed during the export. Please try again.',
  stopped: 'The service was stopped.',
  badSample: (problem: string | null) => `The sample: ${problem}`,
}

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
  unknownExportFormat: (format: string, known: string) =>
    new DomainError(400, 'unknown_format', messages.unknownExportFormat(format, known)),
  notStaged: () => new DomainError(409, 'not_staged', messages.notStaged),
  merged: (day: string) => new DomainError(409, 'merged', messages.merged(day)),
  addedSince: (importId: number) => new DomainError(409, 'added_since', messages.addedSince(importId)),
  changed: () => new DomainError(409, 'changed', messages.changed),
  stopped: () => new DomainError(503, 'stopped', messages.stopped),
  badSample: (problem: string | null) => new DomainError(500, 'bad_sample', messages.badSample(problem)),
}
