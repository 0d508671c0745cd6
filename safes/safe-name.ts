import { DomainError } from '../common/domain-error.js'

const MAX_NAME = 100

/** A Safe's name as it is kept. @throws DomainError 400 when it is empty, too long or holds control characters */
export function safeName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || trimmed.length > MAX_NAME || /[\p{Cc}\p{Surrogate}]/u.test(trimmed)) {
    const message = `A Safe's name has 1 to ${MAX_NAME} characters, without control characters.`
    throw new DomainError(400, 'invalid_name', message)
  }
  return trimmed
}
