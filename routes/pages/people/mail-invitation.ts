import type { FastifyInstance } from 'fastify'
import type { InvitationMail } from '../../../plugins/mail.js'
import { accountTexts } from '../../../views/texts/account.js'

/** Mails an invitation to its recipient, and returns a confirmation. Null if it is not mailed, like one for anybody with the link. */
export async function mailInvitation(
  app: FastifyInstance,
  invitation: InvitationMail,
): Promise<string | null> {
  if (invitation.to === '' || !app.mail) return null
  const { isSent } = await app.mail.invite(invitation)
  return isSent ? accountTexts.notifications.mailed(invitation.to) : null
}
