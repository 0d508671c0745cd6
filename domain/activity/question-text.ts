const MAX_CHARACTERS = 1000

/** A token or code of this service with any BRAND, in case an assistant puts its own into a question. */
const SECRET = /(?<![a-z0-9])[a-z0-9]+_(?:ac|at|rt)_[0-9A-Za-z_]+/g

/** The stored text of a question: without secrets (RULES S1) and cut to 1,000 characters. */
export function keptQuestion(text: string): string {
  const safe = text.slice(0, 2 * MAX_CHARACTERS).replace(SECRET, '[removed]')
  return safe.length > MAX_CHARACTERS ? `${safe.slice(0, MAX_CHARACTERS - 1)}…` : safe
}
