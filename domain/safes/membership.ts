import { notFound } from '../../platform/common/domain-error.js'
import { isId } from '../../platform/common/secrets.js'
import { safeErrors } from './errors.js'
import type { Membership } from './safe.js'
import type { SafeStore } from './stores/safe.sql.js'

/** Null if the account may not read this Safe or the Safe does not exist. */
export async function membershipOf(
  safes: SafeStore,
  accountId: string,
  safeId: string,
): Promise<Membership | null> {
  return isId(safeId) ? safes.membership(accountId, safeId) : null
}

/** @throws notFound for non-members, who cannot tell another account's Safe from a missing one (RULES S2) */
export async function requireReader(
  safes: SafeStore,
  accountId: string,
  safeId: string,
): Promise<Membership> {
  const membership = await membershipOf(safes, accountId, safeId)
  if (!membership) throw notFound('Safe')
  return membership
}

/** @throws notFound for non-members, 403 for readers */
export async function requireOwner(safes: SafeStore, accountId: string, safeId: string): Promise<Membership> {
  const membership = await requireReader(safes, accountId, safeId)
  if (membership.role !== 'owner') {
    throw safeErrors.ownerOnly()
  }
  return membership
}

type OfAccount<Method> = Method extends (safeId: string, ...rest: infer Rest) => infer Found
  ? (accountId: string, safeId: string, ...rest: Rest) => Found
  : never

/** A method of a store for accounts: it first checks that the account may read the Safe. @throws notFound for non-members */
export function forReaders<
  Stores extends { safes: SafeStore },
  Key extends keyof Stores,
  Name extends keyof Stores[Key],
>(stores: Stores, key: Key, name: Name): OfAccount<Stores[Key][Name]> {
  const method = async (accountId: string, safeId: string, ...rest: unknown[]) => {
    await requireReader(stores.safes, accountId, safeId)
    return (stores[key] as Record<Name, (...all: unknown[]) => unknown>)[name](safeId, ...rest)
  }
  return method as OfAccount<Stores[Key][Name]>
}
