import { DomainError } from '../common/domain-error.js'

const messages = {
  badEmail: 'Please enter an e-mail address, such as name@example.com.',
  passwordTooShort: 'Please choose a password of at least 12 characters.',
  passwordTooLong: 'Please choose a password of at most 1,000 ordinary characters.',
  passwordTooCommon:
    'This password is one of the most common, which attackers try first. Please choose another one. A few random words are easy to remember.',
  passwordIsName: 'Please choose a password that is not your e-mail address or the name of this service.',
  emailTaken: 'There is already an account with this e-mail address.',
  lastAdmin: 'The last administrator cannot be removed.',
  lastAdminRole: 'There must be at least one administrator. Make somebody else an administrator first.',
  tooManyInvitations: 'You have 100 unused invitations. Revoke some first, or wait until they expire.',
  linkUsed: 'This link has been used or has expired. Please ask for a new one.',
  otherEmail: (email: string) => `This invitation is for ${email}.`,
  wrongPasswords: (seconds: number) =>
    `Too many wrong passwords from your address. Please try again in ${seconds} s.`,
  resetsRequested: (seconds: number) =>
    `Too many requests from your address. Please try again in ${Math.ceil(seconds / 60)} min.`,
  signInsWaiting: (seconds: number) =>
    `Several people are signing in from your address right now. Please try again in ${seconds} s.`,
}

/** Every error of accounts, for pages and the command line. */
export const accountErrors = {
  badEmail: () => new DomainError(400, 'bad_email', messages.badEmail),
  passwordTooShort: () => new DomainError(400, 'bad_password', messages.passwordTooShort),
  passwordTooLong: () => new DomainError(400, 'bad_password', messages.passwordTooLong),
  passwordTooCommon: () => new DomainError(400, 'bad_password', messages.passwordTooCommon),
  passwordIsName: () => new DomainError(400, 'bad_password', messages.passwordIsName),
  emailTaken: () => new DomainError(409, 'email_taken', messages.emailTaken),
  lastAdmin: () => new DomainError(409, 'last_admin', messages.lastAdmin),
  lastAdminRole: () => new DomainError(409, 'last_admin', messages.lastAdminRole),
  tooManyInvitations: () => new DomainError(409, 'too_many_invitations', messages.tooManyInvitations),
  linkUsed: () => new DomainError(410, 'link_used', messages.linkUsed),
  otherEmail: (email: string) => new DomainError(400, 'other_email', messages.otherEmail(email)),
  wrongPasswords: (seconds: number) =>
    new DomainError(429, 'too_many_attempts', messages.wrongPasswords(seconds), seconds),
  resetsRequested: (seconds: number) =>
    new DomainError(429, 'too_many_attempts', messages.resetsRequested(seconds), seconds),
  signInsWaiting: (seconds: number) =>
    new DomainError(429, 'too_many_attempts', messages.signInsWaiting(seconds), seconds),
}
