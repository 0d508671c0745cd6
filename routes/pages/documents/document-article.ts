import type { FastifyInstance } from 'fastify'
import type { StoredDocument } from '../../../domain/safes/documents/documents.js'
import { linkTargets } from './links.js'
import { readPassages } from './read-by.js'
import { textPart } from './text-part.js'

/** The reader of a document, and its Safe. */
export interface ArticleReader {
  accountId: string
  safeId: string
}

/** The requested part of a long text, counted from 1, or that with a passage. */
interface WantedPart {
  part?: number | undefined
  passage?: number | undefined
}

/** A document, its readers, and how to render a part of its text. */
export async function readArticle(
  { safes, activity }: Pick<FastifyInstance, 'safes' | 'activity'>,
  { accountId, safeId }: ArticleReader,
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
  return {
    read,
    reads,
    part,
    parts,
    rendering: { accountId, safe: safeId, hash, kind, title, resolve, ...shown },
  }
}
