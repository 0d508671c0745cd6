import { DomainError } from '../common/domain-error.js'

const SHORTEST_PASSWORD = 12
const LONGEST_PASSWORD = 1000
const LONGEST_EMAIL = 254

/** The one spelling under which an e-mail address is stored and looked up. */
export const normalizeEmail = (email: string) => email.trim().toLowerCase()

/** Whether a password can be hashed at all: somebody who signs in may have typed anything. */
export const isHashable = (password: string) =>
  password.length <= LONGEST_PASSWORD && !password.includes('\0')

/** @throws DomainError 400 when this cannot be an e-mail address */
export function readEmail(text: string): string {
  const email = normalizeEmail(text)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
  const plausible = /^[^\s@\x00-\x1f\x7f]+@[^\s@\x00-\x1f\x7f]+$/.test(email)
  if (!plausible || email.length > LONGEST_EMAIL) {
    throw new DomainError(400, 'bad_email', 'Please enter an e-mail address, such as name@example.com.')
  }
  return email
}

/** @throws DomainError 400 when a new password is shorter than 12 or longer than 1,000 characters */
export function readNewPassword(text: string): string {
  if ([...text].length < SHORTEST_PASSWORD) {
    throw new DomainError(400, 'bad_password', 'Please choose a password of at least 12 characters.')
  }
  if (!isHashable(text)) {
    throw new DomainError(
      400,
      'bad_password',
      'Please choose a password of at most 1,000 ordinary characters.',
    )
  }
  return text
}
