import type { Kysely } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { selectWhere } from '../../../platform/storage/where.js'

/** The number of ways an account has to sign in: its password, its passkeys and its identities at OpenID providers. */
export async function waysToSignIn(db: Kysely<Schema>, accountId: string): Promise<number> {
  const passwords = selectWhere(db, 'accounts', { id: accountId })
    .select('id')
    .where('password_hash', '<>', '')
  const identities = selectWhere(db, 'openid_identities', { account_id: accountId }).select('subject')
  const passkeys = selectWhere(db, 'passkeys', { account_id: accountId }).select('id')
  const found = await Promise.all([passwords.execute(), identities.execute(), passkeys.execute()])
  return found.flat().length
}
