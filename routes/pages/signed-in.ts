import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.js'
import { DomainError, notFound } from '../../common/domain-error.js'

/** Hook: whoever is not signed in is sent to do so. */
export async function onlySignedIn(request: FastifyRequest, reply: FastifyReply) {
  if (!request.account) return reply.redirect('/login', 303)
}

/** Hook: pages of administrators do not exist for anybody else. */
export async function onlyAdmins(request: FastifyRequest) {
  if (request.account?.role !== 'admin') throw notFound('page')
}

/** Who asks, on routes behind `onlySignedIn`. */
export function accountOf(request: FastifyRequest): Account {
  if (!request.account) throw new DomainError(403, 'signed_out', 'Please sign in first.')
  return request.account
}
