import type { Db } from '../../../platform/storage/schema.js'
import { tables } from '../../../platform/storage/where.js'
import { Store } from '../../store.js'
import type { IdentityKey } from '../openid/identity.js'
import { ACCOUNTS_LOCK, findAccount, insertAccount, waysToSignIn } from './account.sql.js'
import type { AccountRecord, NewAccount } from './types.js'

type Linked =
  /** `claimed`: linked, and all other ways to sign in were removed. */
  | { outcome: 'found' | 'linked' | 'claimed' | 'created'; account: AccountRecord }
  | { outcome: 'no-account' }
  | { outcome: 'other-identity' }

/** Which account an identity at an OpenID provider belongs to. */
export class OpenIdIdentityStore extends Store {
  find(identity: IdentityKey): Promise<AccountRecord | null> {
    return findByIdentity(this.db, identity)
  }

  /** The issuers at which an account has an identity. */
  async issuersOf(accountId: string): Promise<string[]> {
    const query = this.db.selectFrom('openid_identities').select('issuer')
    const rows = await query.where('account_id', '=', accountId).orderBy('issuer').execute()
    return rows.map(({ issuer }) => issuer)
  }

  /** The account that linking this identity would claim, or null. */
  async toClaim({ issuer }: IdentityKey, email: string): Promise<string | null> {
    const account = await findAccount(this.db, 'email', email)
    if (!account || account.isEmailProven) return null
    return (await this.issuersOf(account.id)).includes(issuer) ? null : account.id
  }

  /** Forgets the identity of an account at an issuer, unless it is the only way to sign in. */
  unlink(accountId: string, issuer: string): Promise<'unlinked' | 'absent' | 'last-way'> {
    return this.database.write(async trx => {
      if ((await waysToSignIn(trx, accountId)) < 2) return 'last-way'
      const isRemoved = await tables.remove(trx, 'openid_identities', { account_id: accountId, issuer })
      return isRemoved ? 'unlinked' : 'absent'
    }, ACCOUNTS_LOCK)
  }

  /**
   * The account of an identity: the one that it is linked to; else the one with its address, which is then linked; else
   * `toCreate`. An account that has another identity at this issuer is never linked. One whose address was never proven
   * is claimed.
   */
  link(identity: IdentityKey, email: string, now: number, toCreate: NewAccount | null): Promise<Linked> {
    return this.database.write(async trx => {
      const linked = await findByIdentity(trx, identity)
      if (linked) return { outcome: 'found', account: linked }
      const existing = await findAccount(trx, 'email', email)
      if (existing) {
        if (!(await insertIdentity(trx, identity, existing.id, now))) return { outcome: 'other-identity' }
        if (existing.isEmailProven) return { outcome: 'linked', account: existing }
        await claimAccount(trx, existing.id)
        return { outcome: 'claimed', account: existing }
      }
      const created = toCreate && (await insertAccount(trx, toCreate))
      if (!created) return { outcome: 'no-account' }
      await insertIdentity(trx, identity, created.id, now)
      const origin = { isEmailProven: true, isProviderOnly: true, invitedRoot: null }
      return { outcome: 'created', account: { ...created, passwordHash: '', epoch: 0, ...origin } }
    }, ACCOUNTS_LOCK)
  }
}

async function findByIdentity(db: Db, { issuer, subject }: IdentityKey): Promise<AccountRecord | null> {
  const row = await tables.find(db, 'openid_identities', { issuer, subject }, ['account_id'])
  return row ? findAccount(db, 'id', row.account_id) : null
}

/**
 * Removes all ways to sign in to an account except its OpenID identities: its creator had not proven that the address is
 * theirs, and somebody else now has. Ends its sessions, and deletes its passkeys, its password, links that would reset it, and
 * invitations that it made.
 */
async function claimAccount(trx: Db, accountId: string): Promise<void> {
  await tables.remove(trx, 'passkeys', { account_id: accountId })
  await trx
    .deleteFrom('invitations')
    .where(e => e.or([e('account_id', '=', accountId), e('invited_by', '=', accountId)]))
    .execute()
  await tables.change(trx, 'accounts', { id: accountId }, e => ({
    password_hash: '',
    session_epoch: e('session_epoch', '+', 1),
    email_proven: 1,
    provider_only: 1,
    wants_mail: 1,
  }))
}

/** False if the account has another identity at this issuer, or the identity another account. */
export async function insertIdentity(
  trx: Db,
  { issuer, subject }: IdentityKey,
  accountId: string,
  now: number,
): Promise<boolean> {
  return tables.add(trx, 'openid_identities', { issuer, subject, account_id: accountId, created_at: now })
}
