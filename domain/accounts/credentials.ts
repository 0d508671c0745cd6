import { isCommonPassword } from './common-password.js'
import { accountErrors } from './errors.js'

const MIN_PASSWORD_LENGTH = 12
const MAX_PASSWORD_LENGTH = 1000
const MAX_EMAIL_LENGTH = 254

/** The form in which e-mail addresses are stored and looked up. */
export const normalizeEmail = (email: string) => email.trim().toLowerCase()

/** Whether a password can be hashed; sign-in accepts any input. */
export const isHashable = (password: string) =>
  password.length <= MAX_PASSWORD_LENGTH && !password.includes('\0')

/** @throws DomainError 400 for an invalid e-mail address */
export function readEmail(text: string): string {
  const email = normalizeEmail(text)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this rejects control characters
  const isPlausible = /^[^\s@\x00-\x1f\x7f]+@[^\s@\x00-\x1f\x7f]+$/.test(email)
  if (!isPlausible || email.length > MAX_EMAIL_LENGTH) {
    throw accountErrors.badEmail()
  }
  return email
}

/** Texts a password must not contain, besides common ones. */
interface PasswordContext {
  email: string
  brand: string
}

/**
 * The only rules are the length, and no passwords that attackers try first (NIST SP 800-63B §5.1.1.2).
 * @throws DomainError 400 for a new password that is shorter than 12 or longer than 1,000 characters, common, or the
 * name of the account or of the service
 */
export async function readNewPassword(text: string, { email, brand }: PasswordContext): Promise<string> {
  if ([...text].length < MIN_PASSWORD_LENGTH) {
    throw accountErrors.passwordTooShort()
  }
  if (!isHashable(text)) {
    throw accountErrors.passwordTooLong()
  }
  const folded = text.normalize('NFKC').trim().toLowerCase()
  if (folded === normalizeEmail(email) || folded === brand) throw accountErrors.passwordIsName()
  if (await isCommonPassword(folded)) throw accountErrors.passwordTooCommon()
  return text
}
