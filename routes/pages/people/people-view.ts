import type { Account } from '../../../domain/accounts/account.js'
import { showTime } from '../../../platform/common/format.js'
import type { Page } from '../../../plugins/views.js'
import { peopleTexts } from '../../../views/texts/people.js'
import type { InvitationRow } from './invitation-row.js'

/** The view model of `views/people.eta`. */
export interface PeoplePage extends Page {
  accounts: PersonRow[]
  /** Links to the next page and to the first one. */
  more: string | null
  first: string | null
  invitations: InvitationRow[]
  moreInvitations: string | null
  /** The link that has just been created, with its heading and explanation. */
  link?: string
  linkTitle?: string
  linkText?: string
  /** The recipient of the mail. */
  mailed?: string | null
  /** The entered value, to be corrected. */
  email?: string
}

interface PersonRow {
  email: string
  role: string
  since: string
  isSelf: boolean
  /** The other role, to change to; null for the only administrator. */
  change: { action: string; role: string; label: string; about: string } | null
  reset: { action: string; about: string }
  /** The confirmation page. */
  remove: string
}

/** An account in the list of people. `self`: the viewer; `isLastAdmin`: whether no other is an administrator. */
export function personRow(
  { id, email, role, createdAt }: Account,
  self: string,
  isLastAdmin: boolean,
): PersonRow {
  const m = peopleTexts
  const other = role === 'admin' ? 'member' : 'admin'
  return {
    email,
    role: m.roles[role],
    since: m.since(showTime(createdAt)),
    isSelf: id === self,
    change:
      id === self && isLastAdmin
        ? null
        : { action: `/people/${id}/role`, role: other, label: m.makes[other], about: m.of(email) },
    reset: { action: `/people/${id}/reset`, about: m.resetOf(email) },
    remove: `/people/${id}/remove`,
  }
}
