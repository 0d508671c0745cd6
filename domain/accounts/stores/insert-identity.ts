import type { Kysely } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { hasEffect } from '../../../platform/storage/where.js'
import type { IdentityKey } from '../openid/identity.js'

/** False if the account has another identity at this issuer, or the identity another account. */
export async function insertIdentity(
  trx: Kysely<Schema>,
  { issuer, subject }: IdentityKey,
  accountId: string,
  now: number,
): Promise<boolean> {
  return hasEffect(
    trx
      .insertInto('openid_identities')
      .values({ issuer, subject, account_id: accountId, created_at: now })
      .onConflict(conflict => conflict.doNothing()),
  )
}
