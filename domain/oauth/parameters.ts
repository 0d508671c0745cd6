import { OAuthError } from './error.js'

/** A parsed query string or form. A parameter that was sent more than once is an array. */
export type Parameters = Readonly<Record<string, string | string[] | undefined>>

/**
 * Returns the value of a parameter, or undefined if it is absent.
 * @throws OAuthError invalid_request if it is repeated (RFC 6749 §3.1, §3.2) or contains a NUL
 */
export function single(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name]
  if (Array.isArray(value)) throw new OAuthError('invalid_request', `${name} is sent more than once.`)
  if (value?.includes('\0')) throw new OAuthError('invalid_request', `${name} contains a NUL character.`)
  return value
}

/** @throws OAuthError invalid_request if it is missing, empty or repeated */
export function required(parameters: Parameters, name: string): string {
  const value = single(parameters, name)
  if (!value) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}

/**
 * Rejects requests that repeat any parameter, known or unknown. A repeated `resource` has its own error code
 * (RFC 8707 §2).
 * @throws OAuthError invalid_request or invalid_target
 */
export function rejectRepeated(parameters: Parameters): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (!Array.isArray(value)) continue
    if (name === 'resource') {
      throw new OAuthError('invalid_target', 'Only one resource can be requested.', 'resource repeated')
    }
    throw new OAuthError('invalid_request', 'A parameter is sent more than once.', 'repeated parameter')
  }
}
