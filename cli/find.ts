import type { FastifyInstance } from 'fastify'
import type { Account } from '../plugins/accounts/account.js'
import type { ReadableSafe } from '../plugins/safes/safe.js'
import { Refusal } from './command.js'

/** A Safe and the account on whose behalf the operator acts: its owner. */
export interface OwnedSafe {
  safe: ReadableSafe
  ownerId: string
}

/** @throws Refusal when nobody has this e-mail address */
export async function findAccount(app: FastifyInstance, email: string): Promise<Account> {
  const account = await app.accounts.findByEmail(email)
  if (!account) throw new Refusal(`There is no account with the e-mail address ${email}.`)
  return account
}

/** Every Safe of the service, once, with one of its owners. */
export async function allSafes(app: FastifyInstance): Promise<OwnedSafe[]> {
  const found = new Map<string, OwnedSafe>()
  for (const account of await app.accounts.list()) {
    for (const safe of await app.safes.readableBy(account.id)) {
      if (safe.role === 'owner' && !found.has(safe.id)) found.set(safe.id, { safe, ownerId: account.id })
    }
  }
  return [...found.values()].sort((a, b) => a.safe.createdAt - b.safe.createdAt)
}

/** A Safe by its id or its exact name. @throws Refusal when there is none, or several have that name */
export async function findSafe(app: FastifyInstance, idOrName: string): Promise<OwnedSafe> {
  const safes = await allSafes(app)
  const byId = safes.find(({ safe }) => safe.id === idOrName)
  if (byId) return byId
  const [named, ...others] = safes.filter(({ safe }) => safe.name === idOrName)
  if (!named) throw new Refusal(`There is no Safe with the id or name “${idOrName}”.`)
  if (others.length > 0) {
    const ids = [named, ...others].map(({ safe }) => safe.id).join(', ')
    throw new Refusal(`Several Safes are called “${idOrName}”. Name one by its id: ${ids}.`)
  }
  return named
}
