/** The members of a JSON object. */
export type Members = Record<string, unknown>

/** The members of a JSON object in a text, or undefined if the text is not a JSON object. */
export function parsedMembers(text: string): Members | undefined {
  try {
    return membersOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

const LONG_NUMBER = /"(?:[^"\\]|\\[\s\S])*"?|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

/** JSON with whole numbers of 16 or more digits as strings, because numbers above 2^53 lose digits. */
export const withAllDigits = (json: string): string =>
  /\d{16}/.test(json)
    ? json.replace(LONG_NUMBER, part =>
        part.startsWith('"') || Number.isSafeInteger(Number(part)) ? part : `"${part}"`,
      )
    : json

/** The members of a JSON object; empty for any other value. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** The elements of an array in an export; empty for any other value. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The objects in an array. */
export const objectsOf = (value: unknown): Members[] => listOf(value).map(membersOf)

/** A string of an export; empty for any other value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
