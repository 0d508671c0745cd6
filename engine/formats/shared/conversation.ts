/** A conversation with an assistant, from the export of any of them. */
export interface Conversation {
  assistant: 'ChatGPT' | 'Claude'
  /** What it is, if it is none. */
  kind?: 'conversation' | 'project' | 'memory'
  /** Its id in the export. */
  id: string
  title: string
  messages: ConversationMessage[]
}

export interface ConversationMessage {
  /** Who says this to whom, as a heading: `You asked Claude`. */
  heading: string
  /** Markdown. */
  text: string
  /** Milliseconds since 1970. */
  time: number | undefined
}

/** The members of a JSON object in a text, or undefined if that is no JSON. */
export function parsedMembers(text: string): Record<string, unknown> | undefined {
  try {
    return membersOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

const LONG_NUMBER = /"(?:[^"\\]|\\[\s\S])*"?|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

/** JSON with its whole numbers of 16 digits and more as texts, or two that are near each other would be one (2^53). */
export const withAllDigits = (json: string): string =>
  /\d{16}/.test(json)
    ? json.replace(LONG_NUMBER, part =>
        part.startsWith('"') || Number.isSafeInteger(Number(part)) ? part : `"${part}"`,
      )
    : json

/** A time in milliseconds since 1970 as a whole number; one that nobody can mean is none. */
export const knownTime = (time: number): number | undefined =>
  time > 0 && time < 4.1e12 ? Math.trunc(time) : undefined

/** The same of an ISO date. */
export const isoTime = (date: unknown): number | undefined => knownTime(Date.parse(textOf(date)))

/** The members of a JSON object; none for any other value. */
export function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** The elements of a member of an export, none if it is no list. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The objects of such a list. */
export const objectsOf = (value: unknown): Record<string, unknown>[] => listOf(value).map(membersOf)

/** A member of an export that is text, empty otherwise. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The texts that are not blank, put together. */
export const joined = (texts: readonly string[], separator = '\n'): string =>
  texts.filter(text => text.trim() !== '').join(separator)

/** `Attached: boat.jpg, plan.pdf`; empty without values. */
export function labelled(label: string, values: readonly string[]): string {
  const known = joined(values, ', ')
  return known === '' ? '' : `${label}: ${known}`
}

/** The message with the names of the files that were sent with it. */
export const withFiles = (text: string, names: readonly string[]): string => {
  const attached = labelled(
    'Attached',
    names.map(name => name.trim()),
  )
  return attached === '' ? text : `${text}\n\n${attached}`
}
