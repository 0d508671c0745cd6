import { documentAddress, imageAddress } from '../../../domain/safes/documents/document-address.js'
import type { Safes } from '../../../domain/safes/safes.js'
import { isImage } from '../../../engine/formats/index.js'
import { normalizeName } from '../../../engine/graph/index.js'
import type { LinkTarget } from '../../../engine/rendering/index.js'
import { thingPath } from '../safes/safe-links.js'

/** The text of a link to a Logseq block, by its id. */
const BLOCK = /^\(\(([0-9a-f-]{36})\)\)$/
/** Maximum links of one document looked up among the things, if no document has their name. */
const MAX_THINGS = 50

/** The targets of a document's links: documents, otherwise things with facts in the Safe. */
export async function linkTargets(
  safes: Pick<Safes, 'documents' | 'browse'>,
  accountId: string,
  safeId: string,
  from: string,
  targets: readonly string[],
): Promise<ReadonlyMap<string, LinkTarget>> {
  const safePath = `/safes/${safeId}`
  const found = new Map<string, LinkTarget>()
  const ids = targets.flatMap(target => BLOCK.exec(target)?.[1] ?? [])
  const blocks = ids.length > 0 ? await safes.documents.blocks(accountId, safeId, from, ids) : []
  for (const [id, { path, text }] of blocks)
    found.set(`((${id}))`, { href: documentAddress(safePath, path), text })
  const named = targets.filter(target => !BLOCK.test(target))
  const paths = await safes.documents.resolve(accountId, safeId, from, named)
  const others = named.filter(target => !paths.has(target) && !isImage(target)).slice(0, MAX_THINGS)
  for (const [target, path] of paths)
    found.set(
      target,
      isImage(path)
        ? { href: imageAddress(safePath, path), isImage: true }
        : { href: documentAddress(safePath, path) },
    )
  await Promise.all(
    others.map(async target => {
      const key = await knownThing(safes, accountId, safeId, target)
      if (key !== null) found.set(target, { href: thingPath(safePath, key) })
    }),
  )
  return found
}

/** Every link creates a thing for its target, so one without other facts does not count. */
async function knownThing(
  { browse }: Pick<Safes, 'browse'>,
  accountId: string,
  safeId: string,
  name: string,
) {
  const key = normalizeName(name)
  const [found] = await browse.suggest(accountId, safeId, name.slice(0, 200), 1).catch(() => [])
  if (found?.key !== key) return null
  return found.type !== null || found.relations > 1 || found.passages > 0 ? key : null
}
