import { DomainError } from '../../../platform/common/domain-error.js'
import { isChatGpt } from '../clients/redirect-uri.js'
import { type Grant, safeIdOf } from '../connections/access.js'
import {
  badChoice,
  type ConnectionChoice,
  chosenSafes,
  chosenScopes,
  isLimit,
  type MayRead,
} from '../connections/choice.js'
import { WRITE } from '../scope.js'
import { oauthTexts } from '../texts.js'
import type { AuthorizationRequest } from './authorization-request.js'

/**
 * Builds the grant of an approval: never more than was requested, and only Safes that this account can read.
 * @throws DomainError 400 `bad_choice`, so that the page is shown again; 404 if the account cannot read the
 * pinned Safe
 */
export async function grantFor(
  request: AuthorizationRequest,
  accountId: string,
  choice: ConnectionChoice,
  mayRead: MayRead,
): Promise<Grant> {
  const { clientId, resource, resourceSent } = request
  const mayPropose = choice.propose === true && resource !== 'api'
  const ticked = mayPropose ? { ...choice, scope: [...choice.scope, WRITE] } : choice
  const scope = chosenScopes(request.scope, ticked)
  const withdrawnScope = request.scope.filter(name => !scope.includes(name))
  const basic = {
    ...{ accountId, clientId, scope, resource, resourceSent },
    // A client may keep asking for a scope it once requested and did not get (RULES T14).
    ...(withdrawnScope.length > 0 && { withdrawnScope }),
    ...(mayPropose && { mayPropose }),
    ...((choice.search ?? isChatGpt(request.redirectUri)) && resource !== 'api' && { hasSearch: true }),
  }
  const pinned = safeIdOf(resource)
  if (pinned !== null) {
    if (!(await mayRead(accountId, [pinned]))) throw unreadable()
    return { ...basic, chosenSafeIds: [pinned], onlyChosenSafe: false }
  }
  const chosenSafeIds = chosenSafes(choice)
  if (!(await mayRead(accountId, chosenSafeIds))) throw badChoice(oauthTexts.notListed)
  return { ...basic, chosenSafeIds, onlyChosenSafe: isLimit(choice, resource === 'api') }
}

/** The same error whether or not the Safe exists (RULES C7). */
export const unreadable = () => new DomainError(404, 'not_found', oauthTexts.unreadable)
