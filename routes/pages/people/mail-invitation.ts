import type { FastifyInstance } from 'fastify'
import type { Invitation } from '../../../plugins/mail.js'
import { accountTexts } from '../../../views/texts/account.js'

/** Mails an invitation to whom it is for, and returns the sentence that says so. Null if it is not mailed, as one for anybody with the link. */
export async function mailInvitation(app: FastifyInstance, invitation: Invitation): Promise<string | null> {
  if (invitation.to === '' || !app.mail) return null
  const { isSent } = await app.mail.invite(invitation)
  return isSent ? accountTexts.notifications.mailed(invitation.to) : null
}
