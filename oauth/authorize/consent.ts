import { DomainError } from '../../common/domain-error.js'
import { messages } from '../../messages.js'
import { type Grant, safeIdOf } from '../connections/access.js'
import {
  badChoice,
  type Choice,
  chosenSafes,
  chosenScopes,
  isLimit,
  type MayRead,
} from '../connections/choice.js'
import type { AuthorizationRequest } from './authorization-request.js'

/**
 * Builds the grant of an approval: never more than was requested, and only Safes that this account can read.
 * @throws DomainError 400 `bad_choice`, so that the page is shown again; 404 if the account cannot read the
 * pinned Safe
 */
export async function grantFor(
  request: AuthorizationRequest,
  accountId: string,
  choice: Choice,
  mayRead: MayRead,
): Promise<Grant> {
  const { clientId, resource, resourceSent } = request
  const basic = { accountId, clientId, scope: chosenScopes(request.scope, choice), resource, resourceSent }
  const pinned = safeIdOf(resource)
  if (pinned !== null) {
    if (!(await mayRead(accountId, [pinned]))) throw unreadable()
    return { ...basic, chosenSafeIds: [pinned], onlyChosenSafe: false }
  }
  const chosenSafeIds = chosenSafes(choice)
  if (!(await mayRead(accountId, chosenSafeIds))) throw badChoice(messages.consent.notListed)
  return { ...basic, chosenSafeIds, onlyChosenSafe: isLimit(choice, resource === 'api') }
}

/** The same error whether or not the Safe exists (RULES C7). */
export const unreadable = () => new DomainError(404, 'not_found', messages.consent.unreadable)
