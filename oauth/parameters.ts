import { OAuthError } from './error.js'

/** A parsed query or form: a name that is sent twice has a list of values. */
export type Parameters = Readonly<Record<string, string | string[] | undefined>>

/**
 * The value of a parameter that may be sent once; undefined when absent.
 * @throws OAuthError invalid_request when it is repeated (RFC 6749 §3.1, §3.2) or holds a NUL
 */
export function single(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name]
  if (Array.isArray(value)) throw new OAuthError('invalid_request', `${name} is sent more than once.`)
  if (value?.includes('\0')) throw new OAuthError('invalid_request', `${name} contains a NUL character.`)
  return value
}

/** @throws OAuthError invalid_request when it is missing, empty or repeated */
export function required(parameters: Parameters, name: string): string {
  const value = single(parameters, name)
  if (!value) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}

/** @throws OAuthError for the first parameter that is repeated, known to us or not; `resource` as RFC 8707 §2 words it */
export function rejectRepeated(parameters: Parameters): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (!Array.isArray(value)) continue
    if (name === 'resource') {
      throw new OAuthError('invalid_target', 'Only one resource can be asked for.', 'resource repeated')
    }
    throw new OAuthError('invalid_request', 'A parameter is sent more than once.', 'repeated parameter')
  }
}
