import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Access, allowedSafes } from '../../domain/oauth/connections/access.js'
import { READ, WRITE } from '../../domain/oauth/scope.js'
import { DomainError, notFound } from '../../platform/common/domain-error.js'
import { hasNul } from '../../platform/common/has-nul.js'

/** `app.bearer` has set `access` on every request that reaches a handler. */
export const accessOf = (request: FastifyRequest) => request.access as Access

/** Hides Safes outside the limits of the token (ADR 46). */
export async function withinLimits(request: FastifyRequest): Promise<void> {
  const { safe } = request.params as { safe?: string }
  const allowed = allowedSafes(accessOf(request))
  if (safe !== undefined && allowed !== null && !allowed.includes(safe)) throw notFound('Safe')
}

/**
 * Requires the right to fill: `vault:write`, and an owner of the Safe. Before the body, so that nobody else sends a
 * file.
 */
export async function mayFill(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { accountId, tokenScope } = accessOf(request)
  if (!tokenScope.includes(WRITE)) throw request.server.insufficientScope(request, reply, [READ, WRITE])
  await request.server.safes.requireOwner(accountId, (request.params as { safe: string }).safe)
}

/** Refuses text that no store could keep. */
export async function withoutNul(request: FastifyRequest): Promise<void> {
  const isJson = request.headers['content-type']?.startsWith('application/json')
  if (hasNul(request.params) || hasNul(request.query) || (isJson && hasNul(request.body)))
    throw new DomainError(400, 'invalid_request', 'Text must not contain NUL characters.')
}
