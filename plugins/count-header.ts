/** Counts how often a header was sent, in the raw headers, because Node silently keeps only the first. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i] as string
    if (header.length === name.length && header.toLowerCase() === name) count++
  }
  return count
}
