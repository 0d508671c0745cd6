import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound } from '../../common/domain-error.js'
import type { ReadableSafe } from '../../safes/safe.js'
import { accountOf } from './signed-in.js'

/** @throws notFound unless the account owns the Safe: readers see no page that changes it */
export async function ownSafe(
  app: FastifyInstance,
  request: FastifyRequest,
  safeId: string,
): Promise<ReadableSafe> {
  const safe = await app.safes.find(accountOf(request).id, safeId)
  if (safe?.role !== 'owner') throw notFound('Safe')
  return safe
}
