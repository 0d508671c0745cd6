import { HOUR_MS } from '../../platform/common/durations.js'
import { hashSecret, newId, newSecret } from '../../platform/common/secrets.js'
import type { AccountDependencies } from './dependencies.js'
import { accountErrors } from './errors.js'
import type { Invitation } from './invitation.js'
import type { Sender } from './queue.js'

/**
 * Creates a link that works once within `hours`, and returns its token, which is stored only as a hash.
 * @throws DomainError 409 if the account has too many unused invitations
 */
export async function createLink(
  { invitations, clock, random }: Pick<AccountDependencies, 'invitations' | 'clock' | 'random'>,
  purpose: Invitation['purpose'],
  hours: number,
  content: Partial<Pick<Invitation, 'email' | 'invitedBy' | 'safe' | 'accountId'>> = {},
): Promise<string> {
  const token = newSecret(random)
  const createdAt = clock()
  const outcome = await invitations.add({
    id: newId(random),
    tokenHash: hashSecret(token),
    purpose,
    createdAt,
    expiresAt: createdAt + hours * HOUR_MS,
    ...{ email: null, invitedBy: null, safe: null, accountId: null },
    ...content,
  })
  if (outcome === 'too many') throw accountErrors.tooManyInvitations()
  return token
}

/** The holder of a link is known, and takes precedence over strangers. */
export const linkSender = (token: string): Sender => ({ key: `link ${hashSecret(token)}`, isKnown: true })
