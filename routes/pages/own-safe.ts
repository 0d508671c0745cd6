import type { FastifyRequest } from 'fastify'
import type { ReadableSafe } from '../../domain/safes/safe.js'
import { notFound } from '../../platform/common/domain-error.js'
import { accountOf } from './signed-in.js'

/** A request for a page of a Safe. */
export type SafeRequest = FastifyRequest<{ Params: { safeId: string } }>

/**
 * The Safe of the page, for its members.
 * @throws notFound for everybody else
 */
export async function readableSafe(request: SafeRequest): Promise<ReadableSafe> {
  const safe = await request.server.safes.find(accountOf(request).id, request.params.safeId)
  if (!safe) throw notFound('Safe')
  return safe
}

/**
 * The Safe of the page, for its owners. For readers, a page that changes a Safe is as missing as for strangers.
 * @throws notFound for everybody else
 */
export async function ownSafe(request: SafeRequest): Promise<ReadableSafe> {
  const safe = await readableSafe(request)
  if (safe.role !== 'owner') throw notFound('Safe')
  return safe
}
