import { notFound } from '../../platform/common/domain-error.js'
import { hashSecret } from '../../platform/common/secrets.js'
import { Part } from '../part.js'
import { roleEntry } from './activity-entries.js'
import type { SafesShared } from './dependencies.js'
import { safeErrors } from './errors.js'
import { forReaders, membershipOf, requireOwner } from './membership.js'
import type { ListOptions, Member, Membership, Role } from './safe.js'

/** Who may read and who owns a Safe. Methods for owners throw `notFound` for non-members and 403 for readers. */
export class Members extends Part<Pick<SafesShared, 'safes' | 'activity' | 'clock'>> {
  /** For members; ordered by id, 100 by default. */
  readonly list = forReaders(this.dependencies, 'safes', 'members')

  /** @throws notFound for a missing account, 409 for the last owner */
  async share(ownerId: string, safeId: string, accountId: string, role: Role): Promise<void> {
    const { safes, clock } = this.dependencies
    await requireOwner(safes, ownerId, safeId)
    const before = await membershipOf(safes, accountId, safeId)
    const outcome = await safes.share(safeId, accountId, role, clock())
    if (outcome === 'no account') throw notFound('account')
    if (outcome === 'last owner') throw safeErrors.lastOwner()
    this.#recordRole(accountId, safeId, before, role)
  }

  /** @throws notFound if the account is not a member, 409 for the last owner */
  async unshare(ownerId: string, safeId: string, accountId: string): Promise<void> {
    const { safes, activity } = this.dependencies
    await requireOwner(safes, ownerId, safeId)
    const outcome = await safes.unshare(safeId, accountId)
    if (outcome === 'no member') throw notFound('member')
    if (outcome === 'last owner') throw safeErrors.lastOwner()
    activity.record({ kind: 'member-removed', accountId, safeId })
  }

  /** @throws notFound if the account is not a member, 409 for the last owner */
  async changeRole(ownerId: string, safeId: string, accountId: string, role: Role): Promise<void> {
    const { safes } = this.dependencies
    await requireOwner(safes, ownerId, safeId)
    const before = await membershipOf(safes, accountId, safeId)
    const outcome = await safes.changeRole(safeId, accountId, role)
    if (outcome === 'no member') throw notFound('member')
    if (outcome === 'last owner') throw safeErrors.lastOwner()
    this.#recordRole(accountId, safeId, before, role)
  }

  /** The members with their e-mail addresses, for owners; 100 by default. */
  async people(ownerId: string, safeId: string, page?: ListOptions<string>): Promise<Member[]> {
    await requireOwner(this.dependencies.safes, ownerId, safeId)
    return this.dependencies.safes.people(safeId, page)
  }

  /** Uses an invitation into a Safe. @throws DomainError 410 if it is not valid for this account */
  async join(safeId: string, token: string, account: { id: string; email: string }): Promise<void> {
    const { safes, clock } = this.dependencies
    const before = await membershipOf(safes, account.id, safeId)
    if (!(await safes.join(safeId, hashSecret(token), account, clock()))) throw safeErrors.invitationUsed()
    const now = await membershipOf(safes, account.id, safeId)
    if (now) this.#recordRole(account.id, safeId, before, now.role)
  }

  /** The name of a Safe, for the page of an invitation into it. Does not check an account. */
  async nameForInvitation(safeId: string): Promise<string | null> {
    const [found] = await this.dependencies.safes.named(safeId)
    return found?.safe.name ?? null
  }

  #recordRole(accountId: string, safeId: string, before: Membership | null, role: Role): void {
    const entry = roleEntry(accountId, safeId, before, role)
    if (entry) this.dependencies.activity.record(entry)
  }
}
