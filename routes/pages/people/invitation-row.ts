import type { PendingInvitation } from '../../../domain/accounts/invitation.js'
import { showTime } from '../../../platform/common/format.js'
import { safesTexts } from '../../../views/texts/safes.js'

/** An invitation that has not been used. */
export interface InvitationRow {
  email: string
  role: string | null
  facts: string
  revoke: string
  /** Completes the label of its button. */
  about: string
}

/** A pending invitation, for the page of a Safe and for administrators. */
export function invitationRow(
  { id, email, safe, inviter, expiresAt }: PendingInvitation,
  path: string,
): InvitationRow {
  const m = safesTexts.share
  const facts = [inviter ? m.invitedBy(inviter) : null, m.expires(showTime(expiresAt))]
  return {
    email: email ?? m.anybody,
    role: safe && m.roles[safe.role],
    facts: facts.filter(Boolean).join(' · '),
    revoke: `${path}/${id}/revoke`,
    about: email === null ? m.ofLink : m.forEmail(email),
  }
}
