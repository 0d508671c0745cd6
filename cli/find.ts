import type { FastifyInstance } from 'fastify'
import type { Account } from '../domain/accounts/account.js'
import type { OwnedSafe, Safe } from '../domain/safes/safe.js'
import { listedSafes, lookUpSafe, MAX_LISTED } from '../mcp/safe-by-name.js'
import { CommandError } from './command.js'

/** @throws CommandError if no account has this e-mail address */
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
    (after: string | undefined) => app.accounts.records.list(from(after)),
    account => account.id,
  )

/** Finds a Safe by its id or name. @throws CommandError if there is none, or several have that name */
export async function findSafe(app: FastifyInstance, idOrName: string): Promise<OwnedSafe<Safe>> {
  const exact = await app.safes.named(idOrName)
  if (exact.length > 0) return onlyOne(exact, ({ safe }) => safe.id, idOrName)
  const all = allOf(
    (after: string | undefined) => app.safes.all({ ...from(after), patienceMs: 0 }),
    ({ safe }) => safe.id,
  )
  const { id } = await safeNamed(
    idOrName,
    mapped(all, ({ safe }) => safe),
  )
  return onlyOne(await app.safes.named(id), ({ safe }) => safe.id, idOrName)
}

async function* mapped<From, To>(items: AsyncIterable<From>, map: (item: From) => To): AsyncGenerator<To> {
  for await (const item of items) yield map(item)
}

/** The Safe among these with this id or, in any case, this name. @throws CommandError that lists the nearest, all if they are few */
export async function safeNamed<Found extends { id: string; name: string }>(
  idOrName: string,
  safes: AsyncIterable<Found>,
  where = '',
): Promise<Found> {
  const { found, count, nearest } = await lookUpSafe(
    idOrName,
    mapped(safes, safe => [safe]),
  )
  if (found.length > 0) return onlyOne(found, ({ id }) => id, idOrName)
  const which = count <= MAX_LISTED ? 'There are' : 'The nearest are'
  const others = count === 0 ? '' : ` ${which}: ${listedSafes(nearest)}.`
  throw new CommandError(`There is no Safe with the id or name “${idOrName}”${where}.${others}`)
}

/** The only one of the Safes with this id or name. `what` is their label. @throws CommandError */
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
