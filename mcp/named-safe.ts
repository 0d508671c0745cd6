import { setImmediate as nextTurn } from 'node:timers/promises'
import { quoted } from '../domain/safes/ask/one-line.js'
import type { Safes } from '../domain/safes/safes.js'
import { type ActiveSafe, findReadable, readableSafes, singleSafe } from './active-safe.js'
import type { RequestContext } from './context.js'
import { ToolError } from './tool.js'

/** Safes read at a time while looking for a name. */
const PAGE = 200
/** Safes that an error lists by name and id. */
const MAX_LISTED = 10

/**
 * The Safe with this id or, in any case, this name, among those that the connection may read (RULES R9).
 * @throws ToolError that lists the nearest of them, all if they are at most ten
 */
export async function namedSafe(
  context: RequestContext,
  safes: Safes,
  idOrName: string,
): Promise<ActiveSafe> {
  const { found, count, nearest } = await lookUp(context, safes, idOrName)
  const [safe] = found
  if (safe && found.length === 1) return safe
  if (safe) throw new ToolError(`Several Safes have this name. Pass an id: ${listed(found)}.`)
  throw new ToolError(unknownSafe(context, idOrName, count, nearest))
}

/** The same, or null if there is no such Safe or several have the name. */
export async function findSafe(
  context: RequestContext,
  safes: Safes,
  idOrName: string,
): Promise<ActiveSafe | null> {
  const { found } = await lookUp(context, safes, idOrName)
  return found.length === 1 ? (found[0] ?? null) : null
}

interface LookUp {
  found: ActiveSafe[]
  /** Safes that the connection may read. */
  count: number
  nearest: ActiveSafe[]
}

async function lookUp(context: RequestContext, safes: Safes, idOrName: string): Promise<LookUp> {
  const byId = await findReadable(context, safes, idOrName)
  if (byId) return { found: [byId], count: 1, nearest: [] }
  const wanted = idOrName.trim().toLowerCase()
  const found: ActiveSafe[] = []
  let near: { safe: ActiveSafe; likeness: number }[] = []
  let count = 0
  for await (const page of pages(context, safes)) {
    count += page.length
    found.push(...page.filter(({ id, name }) => [id, name].some(one => one.toLowerCase() === wanted)))
    near = [...near, ...page.map(safe => ({ safe, likeness: likeness(wanted, safe.name) }))]
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, MAX_LISTED)
  }
  return { found, count, nearest: near.map(({ safe }) => safe) }
}

async function* pages(context: RequestContext, safes: Safes): AsyncGenerator<ActiveSafe[]> {
  for (let after: string | undefined; ; ) {
    const page = await readableSafes(context, safes, { limit: PAGE, ...(after ? { after } : {}) })
    yield page.map(({ id, name }) => ({ id, name }))
    after = page.at(-1)?.id
    if (page.length < PAGE) return
    await nextTurn()
  }
}

function unknownSafe(context: RequestContext, wanted: string, count: number, nearest: ActiveSafe[]): string {
  if (singleSafe(context) !== null && count === 0) return LOST_SAFE
  if (singleSafe(context) !== null)
    return 'This connection can read one Safe only, which is active already. Leave out "safe" to ask it; to read another, the user must connect again.'
  if (count === 0) return NO_SAFES
  const reader = context.allowedSafeIds === null ? 'account' : 'connection'
  const which = count <= MAX_LISTED ? 'It can read' : `It can read ${count}; the nearest are`
  return `This ${reader} has no Safe ${quoted(wanted.slice(0, 100))}. ${which} ${listed(nearest)}. Pass one of these names or ids.`
}

/** For a connection whose only Safe was deleted, or is no longer shared with its user. */
export const LOST_SAFE =
  'The Safe of this connection no longer exists or is no longer shared with this account. The user must connect again.'

/** For an account that can read no Safe at all. */
export const NO_SAFES =
  'This account cannot read any Safe yet. The user can create one on the home page of the service, or ask an owner to share one.'

const listed = (safes: readonly ActiveSafe[]) =>
  safes
    .slice(0, MAX_LISTED)
    .map(({ id, name }) => `${quoted(name)} (${id})`)
    .join(', ')

/** The share of letter pairs that two names have in common, from 0 to 1 (Dice's coefficient). */
function likeness(a: string, b: string): number {
  const [one, other] = [pairsOf(a), pairsOf(b)]
  return (2 * [...one].filter(pair => other.has(pair)).length) / Math.max(1, one.size + other.size)
}

function pairsOf(text: string): Set<string> {
  const plain = ` ${text.toLowerCase().slice(0, 200)} `
  return new Set(Array.from({ length: plain.length - 1 }, (_, at) => plain.slice(at, at + 2)))
}
