/** A name in a sentence, with a link to what it names. */
export interface SentenceName {
  text: string
  href: string | null
}

/** A piece of a sentence. */
export type Part = string | SentenceName

/**
 * Puts names into a sentence such as `{assistant} asked[ in {safe}]`. The text in brackets is left out if one of its
 * names is null.
 */
export function sentence(template: string, names: Readonly<Record<string, Part | null>>): Part[] {
  const parts = template.split(/\[([^[\]]*)\]/).flatMap((piece, at) => {
    const words = piece.split(/\{(\w+)\}/)
    const isOptional = at % 2 === 1
    if (isOptional && words.some((word, at) => at % 2 === 1 && (names[word] ?? null) === null)) return []
    return words.map((word, at) => (at % 2 === 1 ? (names[word] ?? '') : word)).filter(part => part !== '')
  })
  const [first, ...others] = parts
  return typeof first === 'string' ? [first.charAt(0).toUpperCase() + first.slice(1), ...others] : parts
}
