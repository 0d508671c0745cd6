import { documentAddress } from '../../../safes/documents/document-address.js'
import type { Safes } from '../../../safes/safes.js'
import { thingPath } from '../safes/safe-links.js'

interface Link {
  name: string
  href: string
}

/** What stands beside a document. */
export interface Around {
  /** The thing that the document is about, with everything else that is known of it. */
  thing: string | null
  mentions: Link[]
  linkedFrom: Link[]
  before: Link | null
  after: Link | null
}

const MOST = 12

/** Finds what is around a document: its neighbours in the folder, and what the graph knows. */
export async function aroundDocument(
  { documents, browse }: Pick<Safes, 'documents' | 'browse'>,
  accountId: string,
  safeId: string,
  path: string,
  key: string | undefined,
): Promise<Around> {
  const safePath = `/safes/${safeId}`
  const { before, after } = await documents.neighbours(accountId, safeId, path)
  const link = (document: typeof before) =>
    document && { name: document.title, href: documentAddress(safePath, document.path) }
  // The text can be read while the index is being built.
  const found = key === undefined ? null : await browse.thing(accountId, safeId, key).catch(() => null)
  const thing = found !== null && 'kinds' in found ? found : null
  const kinds = thing?.kinds ?? []
  const links = (direction: 'out' | 'in') => {
    const things = kinds
      .filter(kind => kind.direction === direction)
      .flatMap(({ relations }) =>
        relations.map(({ subject, object }) => (direction === 'out' ? object : subject)),
      )
    const distinct = new Map(things.map(thing => [thing.key, thing]))
    return [...distinct.values()]
      .slice(0, MOST)
      .map(({ key, name }) => ({ name, href: thingPath(safePath, key) }))
  }
  return {
    thing: thing && thingPath(safePath, thing.key),
    mentions: links('out'),
    linkedFrom: links('in'),
    before: link(before),
    after: link(after),
  }
}
