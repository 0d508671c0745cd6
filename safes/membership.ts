import { notFound } from '../common/domain-error.js'
import { safeErrors } from './errors.js'
import type { Role } from './safe.js'
import type { SafeStore } from './stores/safe.sql.js'

export interface Membership {
  name: string
  version: number
  role: Role
}

/** `newId` creates ids of this form; nothing else is looked up in the database. */
const ID = /^[0-9A-Za-z]{22}$/

/** Whether a text can be the id of a Safe. */
export const isSafeId = (text: string) => ID.test(text)

/** Null when the account may not read this Safe or the Safe does not exist. */
export async function membershipOf(
  safes: SafeStore,
  accountId: string,
  safeId: string,
): Promise<Membership | null> {
  return isSafeId(safeId) ? safes.membership(accountId, safeId) : null
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
