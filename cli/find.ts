import type { FastifyInstance } from 'fastify'
import type { Account } from '../domain/accounts/account.js'
import type { OwnedSafe, Safe } from '../domain/safes/safe.js'
import { CommandError } from './command.js'

/** @throws CommandError when no account has this e-mail address */
export async function findAccount(app: FastifyInstance, email: string): Promise<Account> {
  const account = await app.accounts.findByEmail(email)
  if (!account) throw new CommandError(`There is no account with the e-mail address ${email}.`)
  return account
}

/** All items of a list that is read in pages, each starting after the last item of the previous one. */
export async function* allOf<Item, Id>(
  page: (after: Id | undefined) => Promise<Item[]>,
  idOf: (item: Item) => Id,
): AsyncGenerator<Item> {
  for (let last: Item | undefined; ; ) {
    const items: Item[] = await page(last === undefined ? undefined : idOf(last))
    yield* items
    last = items.at(-1)
    if (last === undefined) return
  }
}

/** `{ after }`, or nothing at the start of a list. */
export const from = <Id>(after: Id | undefined): { after?: Id } => (after === undefined ? {} : { after })

/** Every account. */
export const allAccounts = (app: FastifyInstance): AsyncGenerator<Account> =>
  allOf(
    (after: string | undefined) => app.accounts.list(from(after)),
    account => account.id,
  )

/** Finds a Safe by its id or exact name. @throws CommandError when there is none, or several have that name */
export const findSafe = async (app: FastifyInstance, idOrName: string): Promise<OwnedSafe<Safe>> =>
  onlyOne(await app.safes.named(idOrName), ({ safe }) => safe.id, idOrName)

/** The only one of the Safes that have this id or name. `what` is what they are called. @throws CommandError */
export function onlyOne<Found>(
  found: readonly Found[],
  idOf: (found: Found) => string,
  idOrName: string,
  what = 'Safe',
): Found {
  const [one, ...others] = found
  if (!one) throw new CommandError(`There is no ${what} with the id or name “${idOrName}”.`)
  if (others.length === 0) return one
  const ids = found.map(idOf).join(', ')
  throw new CommandError(`Several ${what}s are called “${idOrName}”. Use one of these ids: ${ids}.`)
}
