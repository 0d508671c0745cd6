import type { Kysely } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'

/** How many ways an account has to sign in: its password, its passkeys and its identities at OpenID providers. */
export async function waysToSignIn(db: Kysely<Schema>, accountId: string): Promise<number> {
  const passwords = db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('password_hash', '<>', '')
  const identities = db.selectFrom('openid_identities').select('subject').where('account_id', '=', accountId)
  const passkeys = db.selectFrom('passkeys').select('id').where('account_id', '=', accountId)
  const found = await Promise.all([passwords.execute(), identities.execute(), passkeys.execute()])
  return found.flat().length
}
