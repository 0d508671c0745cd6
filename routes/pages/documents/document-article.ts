import type { FastifyInstance } from 'fastify'
import type { StoredDocument } from '../../../safes/documents/documents.js'
import { linkTargets } from './links.js'
import { readPassages } from './read-by.js'
import { textPart } from './text-part.js'

type Server = Pick<FastifyInstance, 'safes' | 'renderer' | 'activity' | 'stopping'>

/** Who reads a document of which Safe. */
interface Reader {
  accountId: string
  safeId: string
}

/** The part of a long text that is wanted, counted from 1, or that with a passage. */
interface WantedPart {
  part?: number | undefined
  passage?: number | undefined
}

/** Bytes of a document that is worth being rendered before it is opened, and the most documents of a list that are. */
const LARGE = 100_000
const MOST_AHEAD = 3

/** A document, who read it, and how a part of its text is to be rendered. */
export async function readArticle(
  { safes, activity }: Server,
  { accountId, safeId }: Reader,
  document: StoredDocument,
  wanted: WantedPart = {},
) {
  const [read, reads] = await Promise.all([
    safes.documents.read(accountId, safeId, document),
    activity.documents.of(accountId, safeId, document.path),
  ])
  const { kind, path, title, contentHash: hash } = document
  const { part, parts, ...shown } = textPart(read, { kind, ...wanted }, readPassages(document, reads))
  const resolve = (targets: readonly string[]) => linkTargets(safes, accountId, safeId, path, targets)
  return { read, reads, part, parts, rendering: { safe: safeId, hash, kind, title, resolve, ...shown } }
}

/**
 * While a list is being looked at, starts what renders long documents, and renders the largest, so that the one that is
 * opened is there.
 */
export async function renderAhead(
  server: Server,
  { accountId, safeId }: Reader,
  listed: readonly StoredDocument[],
): Promise<void> {
  const largest = listed.toSorted((one, other) => other.size - one.size).slice(0, MOST_AHEAD)
  for (const document of largest) {
    if (server.stopping) return
    const named = { safe: safeId, hash: document.contentHash }
    server.renderer.prepare(named, document.size)
    if (document.size < LARGE) return
    await server.renderer.ahead(
      named,
      async () => (await readArticle(server, { accountId, safeId }, document)).rendering,
    )
  }
}
