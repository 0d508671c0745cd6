import t from 'tap'
import { accountErrors } from '../../../domain/accounts/errors.js'

/** Status and code of each error, by which programs distinguish them. */
const ERRORS: Readonly<Record<keyof typeof accountErrors, readonly [status: number, code: string]>> = {
  badEmail: [400, 'bad_email'],
  passwordTooShort: [400, 'bad_password'],
  passwordTooLong: [400, 'bad_password'],
  passwordTooCommon: [400, 'bad_password'],
  passwordIsName: [400, 'bad_password'],
  emailTaken: [409, 'email_taken'],
  lastAdmin: [409, 'last_admin'],
  lastAdminRole: [409, 'last_admin'],
  onlyExisting: [403, 'only_existing'],
  tooManyInvitations: [409, 'too_many_invitations'],
  providerUnreachable: [503, 'provider_unreachable'],
  providerRefused: [403, 'provider_refused'],
  providerAnswer: [403, 'provider_answer'],
  signInExpired: [403, 'sign_in_expired'],
  notAllowed: [403, 'not_allowed'],
  unverifiedEmail: [403, 'unverified_email'],
  noAccount: [403, 'no_account'],
  otherIdentity: [409, 'other_identity'],
  passkeyAnswer: [400, 'passkey_answer'],
  passkeyKnown: [409, 'passkey_known'],
  tooManyPasskeys: [409, 'too_many_passkeys'],
  providerOnly: [403, 'provider_only'],
  lastWay: [409, 'last_way'],
  linkUsed: [410, 'link_used'],
  otherEmail: [400, 'other_email'],
  tooManyAccounts: [429, 'too_many_accounts'],
  wrongPasswords: [429, 'too_many_attempts'],
  signInsWaiting: [429, 'too_many_attempts'],
}

t.test('errors of accounts keep their status and code', t => {
  for (const [name, make] of Object.entries(accountErrors)) {
    const { status, code } = (make as (about: never) => { status: number; code: string })('x' as never)
    t.strictSame([status, code], ERRORS[name as keyof typeof accountErrors], name)
  }
  t.end()
})
