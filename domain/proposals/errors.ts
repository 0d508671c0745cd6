import { errorsOf } from '../../platform/common/domain-error.js'
import { LIMITS } from './proposal.js'

/** Every error of proposals, for pages and assistants. */
export const proposalErrors = errorsOf({
  blocked:
    '403 proposals_rejected: An owner of this Safe rejects all proposals of this connection. Do not propose again.',
  tooManyPending:
    '409 too_many_pending: The inbox of this Safe is full: its proposals wait for an owner. Tell the user that an owner must review them first.',
  tooManyOfAccount: `409 too_many_pending: The user has ${LIMITS.pendingOfAccount} proposals in this Safe that wait for an owner. Tell the user that an owner must review them first.`,
  tooManyAtOnce: `429 too_many_proposals: This connection made ${LIMITS.perHour} proposals within an hour. Try again later, with several statements in one proposal.`,
  tooLong: `400 too_long: The statements have more than ${LIMITS.characters.toLocaleString('en')} characters together. Propose fewer at a time.`,
  empty:
    '400 empty: Propose facts in "statements", a note in "new_note", or changes of documents in "edits".',
  textTooLong: '400 too_long: The texts have more than 256 kB together. Propose a shorter note, or several.',
  emptyText: '400 incomplete: A new note needs a title and a text, and an edit needs a text.',
  folder: (folder: string) =>
    `400 folder: “${folder.slice(0, 200)}” is not a folder of a Safe. Pass names separated by "/", such as "Projects/Garden", without "..".`,
  notEditable: (path: string) =>
    `400 not_editable: “${path}” cannot be edited, because it is not kept as a note or text file. Propose a new note instead.`,
  changed: (path: string) =>
    `409 changed: “${path}” has been changed since this page was opened. The changes below apply to its newer text.`,
  nothing: '400 no_statement: Nothing is selected. Select at least one part, or reject the proposal.',
  incomplete:
    '400 incomplete: Every statement to add needs a subject, a relation and an object that can be seen.',
  decided: '410 decided: This proposal has been decided or has expired.',
  notAdded: (problem: string | null) =>
    `409 not_added: ${problem ?? 'This proposal has been decided or has expired.'}`,
})
