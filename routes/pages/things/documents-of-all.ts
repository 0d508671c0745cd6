import type { FastifyRequest } from 'fastify'
import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import type { ListedDocuments } from '../../../domain/safes/documents/documents.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { accountOf } from '../signed-in.js'
import type { Entered } from './question-fields.js'

/** A document that was found by the words of its name, or by its tag or folder. */
export interface FoundDocument {
  name: string
  path: string
  href: string
  /** Milliseconds since 1970, or null. */
  time: number | null
  safe: ReadableSafe
}

/** Total of passages of the Safes that are searched: a millisecond per thousand. */
const MAX_PASSAGES = 50_000

/** The documents that a question names: with its words in their names, and in its folder or with its tag. */
export function namedDocuments({ q = '', in: places = '' }: Entered): Omit<ListedDocuments, 'limit'> | null {
  const words = q.split(/\s+/).filter(Boolean)
  const [place = ''] = places.split(',')
  if (words.length === 0 && place === '') return null
  if (place.startsWith('tag:')) return { words, tag: place.slice('tag:'.length) }
  return { words, folder: place === '' || place.endsWith('/') ? place : `${place}/` }
}

/** Documents of several Safes, the smallest Safes first. */
export async function documentsIn(
  request: FastifyRequest,
  safes: readonly ReadableSafe[],
  which: ListedDocuments,
): Promise<FoundDocument[]> {
  const { documents } = request.server.safes
  const found: FoundDocument[] = []
  let left = MAX_PASSAGES
  for (const safe of safes.toSorted((a, b) => a.counts.passages - b.counts.passages)) {
    if (safe.counts.passages > left || found.length >= which.limit) break
    left -= safe.counts.passages
    const listed = await documents.list(accountOf(request).id, safe.id, which)
    found.push(
      ...listed.map(({ path, title, time }) => {
        return { name: title, path, href: documentAddress(`/safes/${safe.id}`, path), time, safe }
      }),
    )
  }
  return found
}
