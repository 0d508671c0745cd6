import { setImmediate as otherRequests } from 'node:timers/promises'
import { normalForm } from './normal-form.js'

/** A test for the letters somebody looks for: in any of the texts, large or small, however they are encoded. */
export function textMatcher(search: string): (...texts: string[]) => boolean {
  const folded = (text: string) => normalForm(text, 'NFKC').toLowerCase()
  const letters = folded(search)
  return (...texts) => texts.some(text => folded(text).includes(letters))
}

/** The first `limit` matching items of a list that is read page by page, with other requests in between. */
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
    await otherRequests()
  }
}
