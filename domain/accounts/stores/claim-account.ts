import type { Kysely } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { deleteWhere, updateWhere } from '../../../platform/storage/where.js'

/**
 * Takes away every way into an account but its OpenID identities: whoever made it had not shown that its address is
 * theirs, and somebody else now has. Ends its sessions, and deletes its passkeys, its password, links that would reset it, and
 * invitations that it made.
 */
export async function claimAccount(trx: Kysely<Schema>, accountId: string): Promise<void> {
  await deleteWhere(trx, 'passkeys', { account_id: accountId }).execute()
  await trx
    .deleteFrom('invitations')
    .where(e => e.or([e('account_id', '=', accountId), e('invited_by', '=', accountId)]))
    .execute()
  await updateWhere(trx, 'accounts', { id: accountId })
    .set(e => ({
      password_hash: '',
      session_epoch: e('session_epoch', '+', 1),
      email_proven: 1,
      provider_only: 1,
      wants_mail: 1,
    }))
    .execute()
}
