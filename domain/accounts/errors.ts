import { errorsOf } from '../../platform/common/domain-error.js'

/** Every error of accounts, for pages and the command line. */
export const accountErrors = errorsOf({
  badEmail: '400 bad_email: Please enter an e-mail address, such as name@example.com.',
  passwordTooShort: '400 bad_password: Please choose a password of at least 12 characters.',
  passwordTooLong: '400 bad_password: Please choose a password of at most 1,000 ordinary characters.',
  passwordTooCommon:
    '400 bad_password: This password is one of the most common, which attackers try first. Please choose another one. A few random words are easy to remember.',
  passwordIsName:
    '400 bad_password: Please choose a password that is not your e-mail address or the name of this service.',
  emailTaken: '409 email_taken: There is already an account with this e-mail address.',
  lastAdmin: '409 last_admin: The last administrator cannot be removed.',
  lastAdminRole:
    '409 last_admin: There must be at least one administrator. Make somebody else an administrator first.',
  onlyExisting:
    '403 only_existing: This link is for people who have an account here. If you have none, ask for an invitation to your e-mail address.',
  tooManyInvitations:
    '409 too_many_invitations: You have 100 unused invitations. Revoke some first, or wait until they expire.',
  providerUnreachable: (name: string) =>
    `503 provider_unreachable: ${name} does not answer at the moment. Try again later, or sign in with your password.`,
  providerRefused: (name: string) => `403 provider_refused: You did not sign in at ${name}.`,
  providerAnswer: (name: string) =>
    `403 provider_answer: The sign-in at ${name} could not be completed. Please try again.`,
  signInExpired: '403 sign_in_expired: This sign-in has expired or was completed before. Please try again.',
  notAllowed: (name: string) =>
    `403 not_allowed: Your account at ${name} may not sign in here. Ask an administrator.`,
  unverifiedEmail: (name: string) =>
    `403 unverified_email: ${name} has not verified your e-mail address. Verify it there, then try again.`,
  noAccount: (email: string) =>
    `403 no_account: There is no account for ${email} here. Ask an administrator for an invitation.`,
  otherIdentity: (email: string) =>
    `409 other_identity: Somebody else signs in as ${email}. Use another way to sign in, or ask an administrator.`,
  passkeyAnswer:
    '400 passkey_answer: This passkey could not be used here. Try again, or use another way to sign in.',
  passkeyKnown: '409 passkey_known: This passkey already belongs to an account.',
  tooManyPasskeys: '409 too_many_passkeys: You have 20 passkeys. Remove one first.',
  providerOnly:
    '403 provider_only: This account signs in with its provider only. An administrator can create a link for setting a password.',
  lastWay: '409 last_way: This is your only way to sign in. Add another one first.',
  linkUsed: '410 link_used: This link has been used or has expired. Please ask for a new one.',
  otherEmail: (email: string) => `400 other_email: This invitation is for ${email}.`,
  tooManyAccounts: (seconds: number) =>
    `429+${seconds} too_many_accounts: Many accounts have been made with invitations of this person today. Try again tomorrow, or ask an administrator for an invitation.`,
  wrongPasswords: (seconds: number) =>
    `429+${seconds} too_many_attempts: Too many wrong passwords from your address. Please try again in ${seconds} s.`,
  signInsWaiting: (seconds: number) =>
    `429+${seconds} too_many_attempts: Several people are signing in from your address right now. Please try again in ${seconds} s.`,
})
