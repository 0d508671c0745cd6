import type { FastifyRequest } from 'fastify'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { thingsTexts } from '../../../views/texts/things.js'

/** A suggestion that takes the place of the word that is being typed. */
interface Completion {
  name: string
  type: string
  href: string
  fill: string
}

const MAX = 8
/** Maximum Safes whose tags, types and folders are read. */
const MAX_SAFES = 8

/** What completes `in:`, `tag:` and `type:` at the end of what is typed, in these Safes; null for other words. */
export async function completions(
  { server }: FastifyRequest,
  accountId: string,
  safes: readonly ReadableSafe[],
  text: string,
): Promise<Completion[] | null> {
  const word = text.slice(text.lastIndexOf(' ') + 1)
  const name = word.slice(0, word.indexOf(':'))
  const m: Record<string, string | undefined> = thingsTexts.operators
  const type = m[name]
  if (type === undefined) return null
  const { documents, browse } = server.safes
  const valuesOf = {
    tag: async (id: string) => (await documents.tags(accountId, id)).map(({ tag }) => tag),
    type: async (id: string) => (await browse.contents(accountId, id, 100)).types.map(each => each.type),
    in: async (id: string) => [...((await documents.sizes(accountId, id, MAX))?.folders.keys() ?? [])],
  }[name as 'tag' | 'type' | 'in']
  const all = new Set(name === 'in' && safes.length > 1 ? safes.map(safe => safe.name) : [])
  for (const { id } of safes.slice(0, MAX_SAFES)) for (const value of await valuesOf(id)) all.add(value)
  const letters = word
    .slice(name.length + 1)
    .replace('"', '')
    .toLowerCase()
  const values = [...all].filter(value => value !== '' && value.toLowerCase().includes(letters))
  return values.slice(0, MAX).map(value => {
    const fill = `${name}:${value.includes(' ') ? `"${value}"` : value} `
    return { name: value, type, href: '', fill }
  })
}
