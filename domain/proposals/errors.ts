import { DomainError } from '../../platform/common/domain-error.js'
import { LIMITS } from './proposal.js'

const messages = {
  blocked: 'An owner of this Safe rejects all proposals of this connection. Do not propose again.',
  tooManyPending:
    'The inbox of this Safe is full: its proposals wait for an owner. Tell the user that an owner must review them first.',
  tooManyOfAccount: `The user has ${LIMITS.pendingOfAccount} proposals in this Safe that wait for an owner. Tell the user that an owner must review them first.`,
  tooManyAtOnce: `This connection made ${LIMITS.perHour} proposals within an hour. Try again later, with several statements in one proposal.`,
  tooLong: `The statements have more than ${LIMITS.characters.toLocaleString('en')} characters together. Propose fewer at a time.`,
  nothing: 'No statement is selected. Select at least one, or reject the proposal.',
  incomplete: 'Every statement to add needs a subject, a relation and an object that can be seen.',
  decided: 'This proposal has been decided or has expired.',
}

/** Every error of proposals, for pages and assistants. */
export const proposalErrors = {
  blocked: () => new DomainError(403, 'proposals_rejected', messages.blocked),
  tooManyPending: () => new DomainError(409, 'too_many_pending', messages.tooManyPending),
  tooManyOfAccount: () => new DomainError(409, 'too_many_pending', messages.tooManyOfAccount),
  tooManyAtOnce: () => new DomainError(429, 'too_many_proposals', messages.tooManyAtOnce),
  tooLong: () => new DomainError(400, 'too_long', messages.tooLong),
  nothing: () => new DomainError(400, 'no_statement', messages.nothing),
  incomplete: () => new DomainError(400, 'incomplete', messages.incomplete),
  decided: () => new DomainError(410, 'decided', messages.decided),
  notAdded: (problem: string | null) => new DomainError(409, 'not_added', problem ?? messages.decided),
}
