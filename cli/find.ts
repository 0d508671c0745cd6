import type { FastifyInstance } from 'fastify'
import type { Account } from '../accounts/account.js'
import type { OwnedSafe } from '../safes/safe.js'
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

/**
 * Finds a Safe by its id or exact name. @throws CommandError when there is none, or several have that name
 */
export async function findSafe(app: FastifyInstance, idOrName: string): Promise<OwnedSafe> {
  const [named, ...others] = await app.safes.named(idOrName)
  if (!named) throw new CommandError(`There is no Safe with the id or name “${idOrName}”.`)
  if (others.length > 0) {
    const ids = [named, ...others].map(({ safe }) => safe.id).join(', ')
    throw new CommandError(`Several Safes are called “${idOrName}”. Use one of these ids: ${ids}.`)
  }
  return named
}
