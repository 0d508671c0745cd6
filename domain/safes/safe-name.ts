import { safeErrors } from './errors.js'

const MAX_NAME = 100

/** Returns the name as it is stored. @throws DomainError 400 if it is empty, has control characters or is too long */
export function safeName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || trimmed.length > MAX_NAME || /[\p{Cc}\p{Surrogate}]/u.test(trimmed)) {
    throw safeErrors.invalidName(MAX_NAME)
  }
  return trimmed
}
