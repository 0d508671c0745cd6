import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../domain/accounts/account.js'
import { DomainError, notFound } from '../../platform/common/domain-error.js'
import { accountTexts } from '../../views/texts/account.js'

/** Hook: redirects to the login page unless signed in. After signing in, the visitor continues with this request. */
export async function onlySignedIn(request: FastifyRequest, reply: FastifyReply) {
  if (request.account) return
  const form = request.keepForm()
  return reply.redirect(form ? `/login?form=${form}` : '/login', 303)
}

/** Hook: hides administrators' pages from everyone else with a 404. */
export async function onlyAdmins(request: FastifyRequest) {
  if (request.account?.role !== 'admin') throw notFound('page')
}

/** The signed-in account, on routes behind `onlySignedIn`. */
export function accountOf(request: FastifyRequest): Account {
  if (!request.account) throw new DomainError(403, 'signed_out', accountTexts.login.required)
  return request.account
}
