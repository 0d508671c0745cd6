import { DomainError } from '../../common/domain-error.js'
import type { Grant } from '../connections/access.js'
import { safeIdOf } from '../resource.js'
import { READ } from '../scope.js'
import type { AuthorizationRequest } from './authorization-request.js'

/** What a user chose on the consent page. */
export interface Choice {
  /** The Safe to start with; null: choose later. */
  safeId: string | null
  /** "Only this Safe". */
  only: boolean
  /** The scopes left ticked. */
  scope: readonly string[]
}

/** A scope as the consent page offers it (RULES C7). */
export interface OfferedScope {
  name: string
  granted: boolean
  /** May not be refused. */
  required: boolean
}

/** Reading is what a connection is for; anything more is given only when its user ticks it. */
export const offeredScopes = (asked: readonly string[], ticked: readonly string[] = []): OfferedScope[] =>
  asked.map(name => ({ name, granted: name === READ || ticked.includes(name), required: name === READ }))

/**
 * What an approval grants: never more than was asked for, and only what this account can open.
 * @throws DomainError 400 `bad_choice`, for the page to show again; 404 when the pinned Safe is not the account's to read
 */
export async function decide(
  request: AuthorizationRequest,
  accountId: string,
  choice: Choice,
  mayRead: (accountId: string, safeId: string) => Promise<boolean>,
): Promise<Grant> {
  const scope = offeredScopes(request.scope)
    .filter(({ name, required }) => required || choice.scope.includes(name))
    .map(({ name }) => name)
  if (scope.length === 0) throw badChoice('Tick at least one thing the app may do, or cancel.')
  const pinned = safeIdOf(request.resource)
  if (pinned !== null && !(await mayRead(accountId, pinned))) throw unreadable()
  if (pinned === null && choice.safeId !== null && !(await mayRead(accountId, choice.safeId))) {
    throw badChoice('Choose one of the Safes in the list.')
  }
  if (pinned === null && choice.only && choice.safeId === null) {
    throw badChoice('Choose the Safe that the app is to be limited to.')
  }
  const { clientId, resource, resourceSent } = request
  const chosenSafeId = pinned ?? choice.safeId
  const onlyChosenSafe = pinned === null && choice.only
  return { accountId, clientId, scope, resource, resourceSent, chosenSafeId, onlyChosenSafe }
}

/** Whether it exists or not: the page says the same (RULES C7). */
export const unreadable = () =>
  new DomainError(
    404,
    'not_found',
    'The app asks for a Safe that this account cannot open. Sign in with another account, or connect to another address.',
  )

const badChoice = (message: string) => new DomainError(400, 'bad_choice', message)
