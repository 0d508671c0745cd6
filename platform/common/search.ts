import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { normalForm } from './normal-form.js'

/** Returns a case-insensitive, Unicode-normalizing test for texts that contain `search`. */
export function textMatcher(search: string): (...texts: string[]) => boolean {
  const folded = (text: string) => normalForm(text, 'NFKC').toLowerCase()
  const needle = folded(search)
  return (...texts) => texts.some(text => folded(text).includes(needle))
}

/** Finds the first `limit` matching items of a paged list, yielding to other requests between pages. */
export async function findInPages<Item extends { id: string }>(
  read: (after: string | undefined) => Promise<Item[]>,
  isMatch: (item: Item) => boolean,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<Item[]> {
  const found: Item[] = []
  for (let last = after; ; ) {
    const page = await read(last)
    found.push(...page.filter(isMatch))
    last = page.at(-1)?.id
    if (found.length >= limit || last === undefined) return found.slice(0, limit)
    await yieldToEventLoop()
  }
}
