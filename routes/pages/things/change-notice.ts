import type { FastifyInstance } from 'fastify'
import type { ReadableSafe } from '../../../domain/safes/safe.js'

/** The latest change by a small import, and the address to undo it. */
export interface ChangeNotice {
  /** The change: the name of the import. */
  source: string
  undo: string
}

/** The notice about the import whose number is in the address of a page. Null for an unknown number, for readers, and if it has been undone. */
export async function changeNotice(
  app: FastifyInstance,
  accountId: string,
  safe: ReadableSafe,
  done: string | undefined,
): Promise<ChangeNotice | null> {
  if (done === undefined || safe.role !== 'owner') return null
  const item = await app.safes.imports.find(accountId, safe.id, Number(done))
  if (item?.status !== 'committed') return null
  return { source: item.source, undo: `/safes/${safe.id}/imports/${item.id}/undo` }
}
