import { DomainError, notFound } from '../common/domain-error.js'
import type { Role } from './safe.js'
import type { SafeStore } from './stores/types.js'

export interface Membership {
  name: string
  version: number
  role: Role
}

/** Ids are made by `newId`; anything else is nobody's Safe and never reaches the database. */
const ID = /^[0-9A-Za-z]{22}$/

/** Null when this account may not read this Safe, or there is none. */
export async function membershipOf(
  safes: SafeStore,
  accountId: string,
  safeId: string,
): Promise<Membership | null> {
  return ID.test(safeId) ? safes.membership(accountId, safeId) : null
}

/** @throws notFound for strangers: they cannot tell a Safe that is not theirs from none (RULES S2) */
export async function requireReader(
  safes: SafeStore,
  accountId: string,
  safeId: string,
): Promise<Membership> {
  const membership = await membershipOf(safes, accountId, safeId)
  if (!membership) throw notFound('Safe')
  return membership
}

/** @throws notFound for strangers, 403 for readers */
export async function requireOwner(safes: SafeStore, accountId: string, safeId: string): Promise<Membership> {
  const membership = await requireReader(safes, accountId, safeId)
  if (membership.role !== 'owner') {
    throw new DomainError(403, 'owner_only', 'Only an owner of this Safe may do that.')
  }
  return membership
}
