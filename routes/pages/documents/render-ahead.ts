import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { StoredDocument } from '../../../domain/safes/documents/documents.js'
import { MAX_TILES } from '../../../engine/pictures/index.js'
import { accountOf } from '../signed-in.js'
import { type ArticleReader, readArticle } from './document-article.js'

/** Maximum documents rendered before they are opened. */
const MAX_AHEAD = 3

/**
 * While a page of a Safe is being viewed, starts the renderer for long documents, and renders the largest ahead, so that the
 * next one opens fast. `listed`: those on the page, otherwise all of the Safe.
 */
export function renderAhead(
  request: FastifyRequest,
  reply: FastifyReply,
  safeId: string,
  listed?: readonly StoredDocument[],
): void {
  const { server } = request
  const reader = { accountId: accountOf(request).id, safeId }
  reply.raw.once('finish', async () => {
    try {
      await renderLargest(server, reader, listed ?? (await largestOf(server, reader)))
    } catch {
      // Opening one shows the error.
    }
  })
}

/** None while the map of a Safe with many documents is still being computed. */
async function largestOf({ safes: { documents } }: FastifyInstance, { accountId, safeId }: ArticleReader) {
  const sizes = await documents.sizes(accountId, safeId, MAX_TILES)
  const paths = (sizes?.largest ?? []).slice(0, MAX_AHEAD).map(({ path }) => path)
  return documents.among(accountId, safeId, paths)
}

async function renderLargest(
  server: FastifyInstance,
  reader: ArticleReader,
  documents: readonly StoredDocument[],
) {
  const largest = documents.toSorted((one, other) => other.size - one.size).slice(0, MAX_AHEAD)
  for (const document of largest) {
    if (server.stopping) return
    const named = { safe: reader.safeId, hash: document.contentHash }
    await server.renderer.ahead(
      named,
      document.size,
      async () => (await readArticle(server, reader, document)).rendering,
    )
  }
}
