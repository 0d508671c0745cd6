import type { NamedThing } from '../../../domain/safes/browse/browse.js'
import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import type { Safes } from '../../../domain/safes/safes.js'
import { isImage } from '../../../engine/formats/index.js'
import { thingPath } from '../safes/safe-links.js'
import type { ThingLink } from '../things/thing-link.js'

/** The margin of a document. */
export interface DocumentMargin {
  /** The thing that the document is about, with all other facts about it. */
  thing: string | null
  mentions: ThingLink[]
  /** Documents, and things without one. */
  linkedFrom: ThingLink[]
  before: ThingLink | null
  after: ThingLink | null
}

const MAX = 12

/** Finds the surroundings of a document: its neighbours in the folder, and its facts in the graph. */
export async function aroundDocument(
  { documents, browse }: Pick<Safes, 'documents' | 'browse'>,
  accountId: string,
  safeId: string,
  path: string,
  key: string | undefined,
): Promise<DocumentMargin> {
  const safePath = `/safes/${safeId}`
  const { before, after } = await documents.neighbours(accountId, safeId, path)
  const link = ({ title, path }: { title: string; path: string }) => ({
    name: title,
    href: documentAddress(safePath, path),
  })
  // The text can be read while the index is being built.
  const found = key === undefined ? null : await browse.thing(accountId, safeId, key).catch(() => null)
  const thing = found !== null && 'kinds' in found ? found : null
  const kinds = thing?.kinds ?? []
  const related = (direction: 'out' | 'in') => {
    const things = kinds
      .filter(kind => kind.direction === direction)
      .flatMap(({ relations }) =>
        relations.map(({ subject, object }) => (direction === 'out' ? object : subject)),
      )
    return [...new Map(things.map(thing => [thing.key, thing])).values()].slice(0, MAX)
  }
  const toThing = ({ key, name }: NamedThing) => ({ name, href: thingPath(safePath, key) })
  const linking = related('in')
  const names = linking.flatMap(({ name, key }) => [name, key])
  const paths = await documents.resolve(accountId, safeId, path, names)
  const toDocument = async (thing: NamedThing) => {
    const own = paths.get(thing.name) ?? paths.get(thing.key)
    return own === undefined || isImage(own)
      ? toThing(thing)
      : link(await documents.find(accountId, safeId, own))
  }
  return {
    thing: thing && thingPath(safePath, thing.key),
    mentions: related('out').map(toThing),
    linkedFrom: await Promise.all(linking.map(toDocument)),
    before: before && link(before),
    after: after && link(after),
  }
}
