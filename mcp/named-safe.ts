import { setImmediate as nextTurn } from 'node:timers/promises'
import { quoted } from '../domain/safes/ask/one-line.js'
import type { Safes } from '../domain/safes/safes.js'
import { DomainError } from '../platform/common/domain-error.js'
import { type ActiveSafe, findReadable, type Reader, readableSafes, singleSafe } from './active-safe.js'
import { listedSafes, lookUpSafe, MAX_LISTED } from './safe-by-name.js'

/** Safes read at a time when searching for a name. */
const PAGE = 200

/**
 * The Safe with this id or, in any case, this name, among those that the connection may read (RULES R9).
 * @throws DomainError 404 that lists the nearest, or all if there are at most ten; 409 if several have the name
 */
export async function namedSafe(context: Reader, safes: Safes, idOrName: string): Promise<ActiveSafe> {
  const { found, count, nearest } = await lookUp(context, safes, idOrName)
  const [safe] = found
  if (safe && found.length === 1) return safe
  if (safe)
    throw new DomainError(
      409,
      'several_safes',
      `Several Safes have this name. Pass an id: ${listedSafes(found)}.`,
    )
  throw new DomainError(404, 'not_found', unknownSafe(context, idOrName, count, nearest))
}

/** The same, or null if there is no such Safe or several have the name. */
export async function findSafe(context: Reader, safes: Safes, idOrName: string): Promise<ActiveSafe | null> {
  const { found } = await lookUp(context, safes, idOrName)
  return found.length === 1 ? (found[0] ?? null) : null
}

async function lookUp(context: Reader, safes: Safes, idOrName: string) {
  const byId = await findReadable(context, safes, idOrName)
  return byId
    ? { found: [byId], count: 1, nearest: [] }
    : lookUpSafe<ActiveSafe>(idOrName, pages(context, safes))
}

async function* pages(context: Reader, safes: Safes): AsyncGenerator<ActiveSafe[]> {
  for (let after: string | undefined; ; ) {
    const page = await readableSafes(context, safes, {
      limit: PAGE,
      patienceMs: 0,
      ...(after ? { after } : {}),
    })
    yield page.map(({ id, name }) => ({ id, name }))
    after = page.at(-1)?.id
    if (page.length < PAGE) return
    await nextTurn()
  }
}

function unknownSafe(context: Reader, wanted: string, count: number, nearest: ActiveSafe[]): string {
  if (singleSafe(context) !== null && count === 0) return LOST_SAFE
  if (singleSafe(context) !== null)
    return 'This connection can read one Safe only, which is active already. Leave out "safe" to ask it; to read another, the user must connect again.'
  if (count === 0) return NO_SAFES
  const reader = context.allowedSafeIds === null ? 'account' : 'connection'
  const which = count <= MAX_LISTED ? 'It can read' : `It can read ${count}; the nearest are`
  return `This ${reader} has no Safe ${quoted(wanted.slice(0, 100))}. ${which} ${listedSafes(nearest)}. Pass one of these names or ids.`
}

/** For a connection whose only Safe was deleted, or is no longer shared with its user. */
export const LOST_SAFE =
  'The Safe of this connection no longer exists or is no longer shared with this account. The user must connect again.'

/** For an account that cannot read any Safe. */
export const NO_SAFES =
  'This account cannot read any Safe yet. The user can create one on the home page of the service, or ask an owner to share one.'
