import type { Member } from '../../../domain/safes/safe.js'
import { showTime } from '../../../platform/common/format.js'
import type { Page } from '../../../plugins/views.js'
import { peopleTexts } from '../../../views/texts/people.js'
import { safesTexts } from '../../../views/texts/safes.js'
import type { InvitationRow } from '../people/invitation-row.js'
import type { SafeHead } from './safe-head.js'

/** The view model of `views/safe-share.eta`. */
export interface SafeSharePage extends Page {
  head: SafeHead
  members: MemberRow[]
  more: string | null
  first: string | null
  invitations: InvitationRow[]
  moreInvitations: string | null
  /** The action of the form that invites. */
  invite: string
  /** The invitation link that has just been created. */
  link?: string
  /** The recipient of the mail. */
  mailed?: string | null
  /** The entered value, to be corrected. */
  email?: string
}

interface MemberRow {
  email: string
  isSelf: boolean
  role: string
  /** The other role, to change to; null for the only owner. */
  change: { action: string; role: string; label: string; about: string } | null
  /** The confirmation page; null for the only owner. */
  remove: { path: string; label: string; about: string } | null
  /** The date of joining, and who invited. */
  facts: string
}

/** A member in the list of a Safe's members. `self`: the viewer; `isOnlyOwner`: whether it owns the Safe alone. */
export function memberRow(
  { accountId, email, role, since, inviter }: Member,
  path: string,
  self: string,
  isOnlyOwner: boolean,
): MemberRow {
  const m = safesTexts.share
  const other = role === 'owner' ? 'reader' : 'owner'
  const action = `${path}/members/${accountId}`
  const isSelf = accountId === self
  const isFixed = isSelf && isOnlyOwner
  const facts = [peopleTexts.since(showTime(since)), inviter ? m.invitedBy(inviter) : null]
  return {
    email,
    isSelf,
    role: m.roles[role],
    change: isFixed ? null : { action, role: other, label: m.makes[other], about: m.of(email) },
    remove: isFixed ? null : { path: `${action}/remove`, label: isSelf ? m.leave : m.remove, about: email },
    facts: facts.filter(Boolean).join(' · '),
  }
}
