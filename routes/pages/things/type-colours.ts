import type { Safes } from '../../../domain/safes/safes.js'
import { type Colour, coloursOfTypes } from '../../../engine/pictures/index.js'

/** The types of a Safe that have a colour. */
const TYPES = 12

/** The colour of each type of things. */
export type Colours = ReadonlyMap<string, Colour>

/** The colour of each frequent type of a Safe, the same on all its pages. */
export async function typeColours(
  { browse }: Pick<Safes, 'browse'>,
  accountId: string,
  safeId: string,
): Promise<Colours> {
  const { types } = await browse.contents(accountId, safeId, TYPES)
  return coloursOfTypes(types.map(({ type }) => type))
}
