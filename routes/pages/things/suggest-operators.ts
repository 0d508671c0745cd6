import type { FastifyRequest } from 'fastify'
import { thingsTexts } from '../../../views/texts/things.js'

/** A suggestion that takes the place of the word that is being typed. */
interface Completion {
  name: string
  type: string
  href: string
  fill: string
}

const MAX = 8

/** What completes `in:`, `tag:` and `type:` at the end of what is typed into the box of a Safe; null for other words. */
export async function completions(
  { server }: FastifyRequest,
  accountId: string,
  safeId: string,
  text: string,
): Promise<Completion[] | null> {
  const word = text.slice(text.lastIndexOf(' ') + 1)
  const name = word.slice(0, word.indexOf(':'))
  const m: Record<string, string | undefined> = thingsTexts.operators
  const type = m[name]
  if (type === undefined) return null
  const { documents, browse } = server.safes
  const all = {
    tag: async () => (await documents.tags(accountId, safeId)).map(({ tag }) => tag),
    type: async () => (await browse.contents(accountId, safeId, 100)).types.map(each => each.name),
    in: async () => [...((await documents.sizes(accountId, safeId, MAX))?.folders.keys() ?? [])],
  }[name as 'tag' | 'type' | 'in']
  const letters = word
    .slice(name.length + 1)
    .replace('"', '')
    .toLowerCase()
  const values = (await all()).filter(value => value !== '' && value.toLowerCase().includes(letters))
  return values.slice(0, MAX).map(value => {
    const fill = `${name}:${value.includes(' ') ? `"${value}"` : value} `
    return { name: value, type, href: '', fill }
  })
}
