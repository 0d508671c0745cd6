/**
 * Removes these characters (single UTF-16 units) from the end, in linear time; `/[…]+$/` takes quadratic
 * time.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
