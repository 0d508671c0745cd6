import { DomainError } from '../../../platform/common/domain-error.js'
import { READ } from '../scope.js'
import { oauthTexts } from '../texts.js'

/** The maximum number of chosen Safes. They are part of the live state that every MCP request reads. */
export const MAX_CHOSEN_SAFES = 100

/** Whether the account may read all of these Safes, each named once. */
export type MayRead = (accountId: string, safeIds: readonly string[]) => Promise<boolean>

/** A user's choice for a connection, on the consent page or later. */
export interface ConnectionChoice {
  /** The ticked Safes. None: all Safes; the assistant chooses. */
  safeIds: readonly string[]
  /** "Only these Safes". */
  only: boolean
  /** The ticked scopes. */
  scope: readonly string[]
  /** "May propose changes". */
  propose?: boolean
  /** The tools `search` and `fetch`. Absent: not asked; apps that need them have them. */
  search?: boolean
}

/** A scope as pages offer it (RULES C7). */
export interface OfferedScope {
  name: string
  granted: boolean
  /** Cannot be unticked. */
  required: boolean
}

/** Reading is always granted. Every other scope is granted only if the user ticks it. */
export const offeredScopes = (scope: readonly string[], ticked: readonly string[] = []): OfferedScope[] =>
  scope.map(name => ({ name, granted: name === READ || ticked.includes(name), required: name === READ }))

/** The scopes that remain of `scope`. @throws DomainError 400 `bad_choice` if there are none */
export function chosenScopes(scope: readonly string[], { scope: ticked }: ConnectionChoice): string[] {
  const chosen = offeredScopes(scope, ticked).flatMap(({ name, granted }) => (granted ? [name] : []))
  if (chosen.length === 0) throw badChoice(oauthTexts.noScope)
  return chosen
}

/**
 * Whether the choice limits the connection to the chosen Safes. Several chosen Safes are a limit by themselves:
 * a user who ticks three of ten Safes means these three (ADR 46). A single one is active at the start,
 * except for the API, which has no active Safe (ADR 57).
 */
export const isLimit = ({ safeIds, only }: ConnectionChoice, isApi: boolean) =>
  only || safeIds.length > (isApi ? 0 : 1)

/**
 * The chosen Safes, each once.
 * @throws DomainError 400 `bad_choice` if there are too many, or none although there is a limit
 */
export function chosenSafes(choice: ConnectionChoice): string[] {
  const chosen = [...new Set(choice.safeIds)]
  if (chosen.length > MAX_CHOSEN_SAFES) throw badChoice(oauthTexts.tooManySafes(MAX_CHOSEN_SAFES))
  if (choice.only && chosen.length === 0) throw badChoice(oauthTexts.noSafeToLimit)
  return chosen
}

/** The page is shown again with this message. */
export const badChoice = (message: string) => new DomainError(400, 'bad_choice', message)
