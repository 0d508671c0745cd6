/** A percent-encoded text, decoded; one that cannot be decoded as it is. */
export function decodedUri(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
