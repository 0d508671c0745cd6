import { DomainError } from '../common/domain-error.js'

const MAX_NAME = 100

/**
 * Returns the name as it is stored. @throws DomainError 400 if it is empty, too long or has control
 * characters
 */
export function safeName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || trimmed.length > MAX_NAME || /[\p{Cc}\p{Surrogate}]/u.test(trimmed)) {
    const message = `A Safe's name must have 1 to ${MAX_NAME} characters and no control characters.`
    throw new DomainError(400, 'invalid_name', message)
  }
  return trimmed
}
