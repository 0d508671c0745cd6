import { WRITE } from '../scope.js'
import type { Grant, Powers } from './access.js'

/** The grant with these powers. Who may no longer propose loses the scope that was granted with it, too. */
export function withPowers(grant: Grant, powers: Powers): Grant {
  const next = { ...grant, ...powers }
  const scope = grant.scope.filter(name => name !== WRITE)
  if (powers.mayPropose !== false || grant.resource === 'api' || scope.length === 0) return next
  if (scope.length === grant.scope.length) return next
  return { ...next, scope, withdrawnScope: [...(grant.withdrawnScope ?? []), WRITE] }
}
