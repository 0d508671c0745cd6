import type { FastifyInstance } from 'fastify'
import { sizeTexts } from '../../../domain/safes/size-text.js'
import { accountTexts } from '../../../views/texts/account.js'
import { openConnections } from '../connections/revoke-all.js'

/** What goes with an account: the view model of `views/parts/removal.eta`. */
interface Removal {
  /** The first Safes that nobody else owns. */
  safes: { name: string; size: string }[]
  /** How many more there are, or null. */
  moreSafes: string | null
  /** How many connections end. */
  connections: string
}

/** Safes that are named, and the highest number that is counted. */
const SHOWN = 20
const COUNTED = 1000

/** What goes when an account is removed. */
export async function removalOf(app: FastifyInstance, accountId: string): Promise<Removal> {
  const safes = await app.safes.removal.ownedOnlyBy(accountId, COUNTED + 1)
  return {
    safes: safes.slice(0, SHOWN).map(({ name, counts }) => ({ name, size: sizeTexts(counts).join(', ') })),
    moreSafes:
      safes.length > SHOWN ? accountTexts.removal.moreSafes(Math.min(safes.length, COUNTED) - SHOWN) : null,
    connections: (await openConnections(app, accountId)).text,
  }
}
