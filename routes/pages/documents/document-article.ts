import type { FastifyInstance } from 'fastify'
import type { StoredDocument } from '../../../domain/safes/documents/documents.js'
import { linkTargets } from './links.js'
import { readPassages } from './read-by.js'
import { textPart } from './text-part.js'

/** Who reads a document of which Safe. */
export interface Reader {
  accountId: string
  safeId: string
}

/** The part of a long text that is wanted, counted from 1, or that with a passage. */
interface WantedPart {
  part?: number | undefined
  passage?: number | undefined
}

/** A document, who read it, and how a part of its text is to be rendered. */
export async function readArticle(
  { safes, activity }: Pick<FastifyInstance, 'safes' | 'activity'>,
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
  return {
    read,
    reads,
    part,
    parts,
    rendering: { accountId, safe: safeId, hash, kind, title, resolve, ...shown },
  }
}
