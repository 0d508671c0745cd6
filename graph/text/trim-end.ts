/** The text without the `characters` (single UTF-16 units) it ends with: what `/[…]+$/` finds in quadratic time. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
