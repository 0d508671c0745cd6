import { DomainError } from '../../platform/common/domain-error.js'

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
  onlyExisting:
    'This link is for people who have an account here. If you have none, ask for an invitation to your e-mail address.',
  tooManyInvitations: 'You have 100 unused invitations. Revoke some first, or wait until they expire.',
  providerUnreachable: (name: string) =>
    `${name} does not answer at the moment. Try again later, or sign in with your password.`,
  providerRefused: (name: string) => `You did not sign in at ${name}.`,
  providerAnswer: (name: string) => `The sign-in at ${name} could not be completed. Please try again.`,
  signInExpired: 'This sign-in has expired or was completed before. Please try again.',
  notAllowed: (name: string) => `Your account at ${name} may not sign in here. Ask an administrator.`,
  unverifiedEmail: (name: string) =>
    `${name} has not verified your e-mail address. Verify it there, then try again.`,
  noAccount: (email: string) =>
    `There is no account for ${email} here. Ask an administrator for an invitation.`,
  otherIdentity: (email: string) =>
    `Somebody else signs in as ${email}. Use another way to sign in, or ask an administrator.`,
  passkeyAnswer: 'This passkey could not be used here. Try again, or use another way to sign in.',
  passkeyKnown: 'This passkey already belongs to an account.',
  tooManyPasskeys: 'You have 20 passkeys. Remove one first.',
  providerOnly:
    'This account signs in with its provider only. An administrator can create a link for setting a password.',
  lastWay: 'This is your only way to sign in. Add another one first.',
  linkUsed: 'This link has been used or has expired. Please ask for a new one.',
  otherEmail: (email: string) => `This invitation is for ${email}.`,
  wrongPasswords: (seconds: number) =>
    `Too many wrong passwords from your address. Please try again in ${seconds} s.`,
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
  onlyExisting: () => new DomainError(403, 'only_existing', messages.onlyExisting),
  tooManyInvitations: () => new DomainError(409, 'too_many_invitations', messages.tooManyInvitations),
  providerUnreachable: (name: string) =>
    new DomainError(503, 'provider_unreachable', messages.providerUnreachable(name)),
  providerRefused: (name: string) => new DomainError(403, 'provider_refused', messages.providerRefused(name)),
  providerAnswer: (name: string) => new DomainError(403, 'provider_answer', messages.providerAnswer(name)),
  signInExpired: () => new DomainError(403, 'sign_in_expired', messages.signInExpired),
  notAllowed: (name: string) => new DomainError(403, 'not_allowed', messages.notAllowed(name)),
  unverifiedEmail: (name: string) => new DomainError(403, 'unverified_email', messages.unverifiedEmail(name)),
  noAccount: (email: string) => new DomainError(403, 'no_account', messages.noAccount(email)),
  otherIdentity: (email: string) => new DomainError(409, 'other_identity', messages.otherIdentity(email)),
  passkeyAnswer: () => new DomainError(400, 'passkey_answer', messages.passkeyAnswer),
  passkeyKnown: () => new DomainError(409, 'passkey_known', messages.passkeyKnown),
  tooManyPasskeys: () => new DomainError(409, 'too_many_passkeys', messages.tooManyPasskeys),
  providerOnly: () => new DomainError(403, 'provider_only', messages.providerOnly),
  lastWay: () => new DomainError(409, 'last_way', messages.lastWay),
  linkUsed: () => new DomainError(410, 'link_used', messages.linkUsed),
  otherEmail: (email: string) => new DomainError(400, 'other_email', messages.otherEmail(email)),
  wrongPasswords: (seconds: number) =>
    new DomainError(429, 'too_many_attempts', messages.wrongPasswords(seconds), seconds),
  signInsWaiting: (seconds: number) =>
    new DomainError(429, 'too_many_attempts', messages.signInsWaiting(seconds), seconds),
}
