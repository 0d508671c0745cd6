/** How often a header was sent. Node keeps the first of several such headers silently, so the raw ones are counted. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let times = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i] as string
    if (header.length === name.length && header.toLowerCase() === name) times++
  }
  return times
}
