import { DomainError } from '../../common/domain-error.js'
import { messages } from '../../messages.js'
import type { Grant } from '../connections/access.js'
import { safeIdOf } from '../resource.js'
import { READ } from '../scope.js'
import type { AuthorizationRequest } from './authorization-request.js'

/** What a user chose on the consent page. */
export interface Choice {
  /** The Safe to start with. Null: choose later. */
  safeId: string | null
  /** "Only this Safe". */
  only: boolean
  /** The ticked scopes. */
  scope: readonly string[]
}

/** A scope as the consent page offers it (RULES C7). */
export interface OfferedScope {
  name: string
  granted: boolean
  /** Cannot be unticked. */
  required: boolean
}

/** Reading is always granted. Every other scope is granted only if the user ticks it. */
export const offeredScopes = (requested: readonly string[], ticked: readonly string[] = []): OfferedScope[] =>
  requested.map(name => ({ name, granted: name === READ || ticked.includes(name), required: name === READ }))

/**
 * Builds the grant of an approval: never more than was requested, and only Safes that this account can read.
 * @throws DomainError 400 `bad_choice`, so that the page is shown again; 404 if the account cannot read the
 * pinned Safe
 */
export async function grantFor(
  request: AuthorizationRequest,
  accountId: string,
  choice: Choice,
  mayRead: (accountId: string, safeId: string) => Promise<boolean>,
): Promise<Grant> {
  const scope = offeredScopes(request.scope)
    .filter(({ name, required }) => required || choice.scope.includes(name))
    .map(({ name }) => name)
  if (scope.length === 0) throw badChoice(messages.consent.noScope)
  const pinned = safeIdOf(request.resource)
  if (pinned !== null && !(await mayRead(accountId, pinned))) throw unreadable()
  if (pinned === null && choice.safeId !== null && !(await mayRead(accountId, choice.safeId))) {
    throw badChoice(messages.consent.notListed)
  }
  if (pinned === null && choice.only && choice.safeId === null) {
    throw badChoice(messages.consent.noSafeToLimit)
  }
  const { clientId, resource, resourceSent } = request
  const chosenSafeId = pinned ?? choice.safeId
  const onlyChosenSafe = pinned === null && choice.only
  return { accountId, clientId, scope, resource, resourceSent, chosenSafeId, onlyChosenSafe }
}

/** The same error whether or not the Safe exists (RULES C7). */
export const unreadable = () => new DomainError(404, 'not_found', messages.consent.unreadable)

const badChoice = (message: string) => new DomainError(400, 'bad_choice', message)
