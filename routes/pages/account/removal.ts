import type { FastifyInstance } from 'fastify'
import { sizeTexts } from '../../../domain/safes/size-text.js'
import { accountTexts } from '../../../views/texts/account.js'
import { openConnections } from '../connections/revoke-all.js'

/** The data removed with an account: the view model of `views/parts/removal.eta`. */
interface Removal {
  /** The first Safes that nobody else owns. */
  safes: { name: string; size: string }[]
  /** The number of further ones, or null. */
  moreSafes: string | null
  /** The number of connections that end. */
  connections: string
}

/** Maximum Safes named, and maximum number counted. */
const SHOWN = 20
const COUNTED = 1000

/** The data removed with an account. */
export async function removalOf(app: FastifyInstance, accountId: string): Promise<Removal> {
  const safes = await app.safes.removal.ownedOnlyBy(accountId, COUNTED + 1)
  return {
    safes: safes.slice(0, SHOWN).map(({ name, counts }) => ({ name, size: sizeTexts(counts).join(', ') })),
    moreSafes:
      safes.length > SHOWN ? accountTexts.removal.moreSafes(Math.min(safes.length, COUNTED) - SHOWN) : null,
    connections: (await openConnections(app, accountId)).text,
  }
}
