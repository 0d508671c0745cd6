import { WRITE } from '../scope.js'
import { oauthTexts } from '../texts.js'
import { allowedSafes, type Grant, type Powers, safeIdOf } from './access.js'
import { badChoice, type ConnectionChoice, chosenSafes, chosenScopes, isLimit } from './choice.js'

/**
 * The grant limited to the choice: fewer Safes, fewer scopes, never more. Safes and scopes
 * of the choice that the grant does not have are ignored.
 * @throws DomainError 400 `bad_choice` if no Safe or scope is left
 */
export function narrowed(grant: Grant, choice: ConnectionChoice): Grant {
  const scope = chosenScopes(grant.scope, choice)
  const withdrawn = grant.scope.filter(name => !scope.includes(name))
  const withdrawnScope = [...(grant.withdrawnScope ?? []), ...withdrawn]
  return {
    ...grant,
    scope,
    ...(withdrawnScope.length > 0 ? { withdrawnScope } : {}),
    ...safesLeft(grant, choice),
  }
}

function safesLeft(grant: Grant, choice: ConnectionChoice): Pick<Grant, 'chosenSafeIds' | 'onlyChosenSafe'> {
  const { chosenSafeIds, onlyChosenSafe, resource } = grant
  const unchanged = { chosenSafeIds, onlyChosenSafe }
  if (safeIdOf(resource) !== null) return unchanged
  const allowed = allowedSafes(grant)
  if (allowed === null)
    return isLimit(choice, resource === 'api')
      ? { chosenSafeIds: chosenSafes(choice), onlyChosenSafe: true }
      : unchanged
  if (allowed.length === 1) return unchanged
  const left = allowed.filter(id => choice.safeIds.includes(id))
  if (left.length === 0) throw badChoice(oauthTexts.noSafeLeft)
  return { chosenSafeIds: left, onlyChosenSafe: true }
}

/** The grant with these powers. Without the power to propose, it also loses the scope that was granted with it. */
export function withPowers(grant: Grant, powers: Powers): Grant {
  const next = { ...grant, ...powers }
  const scope = grant.scope.filter(name => name !== WRITE)
  if (powers.mayPropose !== false || grant.resource === 'api' || scope.length === 0) return next
  if (scope.length === grant.scope.length) return next
  return { ...next, scope, withdrawnScope: [...(grant.withdrawnScope ?? []), WRITE] }
}
