/** A conversation with an assistant, from any supported export. */
export interface Conversation {
  assistant: 'ChatGPT' | 'Claude'
  /** The kind, `conversation` by default. */
  kind?: 'conversation' | 'project' | 'memory'
  /** Its id in the export. */
  id: string
  title: string
  /** Milliseconds since 1970, for messages without a time of their own or above them. */
  time: number | undefined
  messages: ConversationMessage[]
}

export interface ConversationMessage {
  /** The sender and the recipient as a heading: `You asked Claude`. */
  heading: string
  /** Markdown. */
  text: string
  /** Milliseconds since 1970. */
  time: number | undefined
}

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

/** A time in milliseconds since 1970 as a whole number, or undefined if it is implausible. */
export const knownTime = (time: number): number | undefined =>
  time > 0 && time < 4.1e12 ? Math.trunc(time) : undefined

/** The same for an ISO date. */
export const isoTime = (date: unknown): number | undefined => knownTime(Date.parse(textOf(date)))

/** `2024-05-03 10:12` in UTC; empty without a time. */
export const minuteOf = (time: number | undefined): string =>
  time === undefined ? '' : new Date(time).toISOString().slice(0, 16).replace('T', ' ')

/** `2024-05-03` in UTC; empty without a time. */
export const dayOf = (time: number | undefined): string => minuteOf(time).slice(0, 10)

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

/** Joins the texts that are not blank. */
export const joined = (texts: readonly string[], separator = '\n'): string =>
  texts.filter(text => text.trim() !== '').join(separator)

/** `Attached: boat.jpg, plan.pdf`; empty without values. */
export function labelled(label: string, values: readonly string[]): string {
  const known = joined(values, ', ')
  return known === '' ? '' : `${label}: ${known}`
}
