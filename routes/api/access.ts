import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Access, allowedSafes } from '../../domain/oauth/connections/access.js'
import { READ, WRITE } from '../../domain/oauth/scope.js'
import { namedSafe } from '../../mcp/named-safe.js'
import { DomainError, notFound } from '../../platform/common/domain-error.js'
import { hasNul } from '../../platform/common/has-nul.js'

/** `app.bearer` has set `access` on every request that reaches a handler. */
export const accessOf = (request: FastifyRequest) => request.access as Access

/** Cannot be a name: the id of a Safe. */
const ID = /^[0-9A-Za-z]{22}$/

/** Hides Safes outside the limits of the token (ADR 46), and finds one by its name (RULES R9). */
export async function withinLimits(request: FastifyRequest): Promise<void> {
  const params = request.params as { safe?: string }
  if (params.safe === undefined) return
  const access = accessOf(request)
  const allowedSafeIds = allowedSafes(access)
  if (ID.test(params.safe)) {
    if (allowedSafeIds !== null && !allowedSafeIds.includes(params.safe)) throw notFound('Safe')
  } else if (!hasNul(params))
    params.safe = (await namedSafe({ access, allowedSafeIds }, request.server.safes, params.safe)).id
}

/**
 * Requires permission to add files: `vault:write`, and an owner of the Safe. Before the body, so that nobody else sends a
 * file.
 */
export async function mayFill(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { accountId, tokenScope } = accessOf(request)
  if (!tokenScope.includes(WRITE)) throw request.server.insufficientScope(request, reply, [READ, WRITE])
  await request.server.safes.requireOwner(accountId, (request.params as { safe: string }).safe)
}

/** Refuses text that no store could save. */
export async function withoutNul(request: FastifyRequest): Promise<void> {
  const isJson = request.headers['content-type']?.startsWith('application/json')
  if (hasNul(request.params) || hasNul(request.query) || (isJson && hasNul(request.body)))
    throw new DomainError(400, 'invalid_request', 'Text must not contain NUL characters.')
}
