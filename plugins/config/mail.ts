import {
  type MailFrom,
  parseMailFrom,
  parseSmtpUrl,
  SMTP_URL_FORMS,
  type SmtpServer,
} from '../../domain/mail/smtp-url.js'
import { type Check, text, type ValuesOf } from './setting.js'

/** How the service sends mail. */
export const MAIL_SETTINGS = {
  SMTP_URL: text({
    description:
      'Mail server for reset links, invitations and notifications (docs/operation.md). Empty: no mail is sent.',
    expected: SMTP_URL_FORMS,
    secret: true,
  }),
  MAIL_FROM: text({
    description: 'The sender of mail; needed with SMTP_URL.',
    expected: 'an address such as safes@example.com or Safes <safes@example.com>',
  }),
}

export interface MailConfig {
  /** Null: no mail is sent. */
  mail: { server: SmtpServer; from: MailFrom } | null
}

/** Reads the settings of this topic. */
export function readMail(
  { SMTP_URL: url, MAIL_FROM: sender }: ValuesOf<typeof MAIL_SETTINGS>,
  check: Check<typeof MAIL_SETTINGS>,
): MailConfig {
  const from = parseMailFrom(sender)
  check('MAIL_FROM', from !== null || (url === '' && sender === ''))
  if (url === '' || !from) return { mail: null }
  try {
    return { mail: { server: parseSmtpUrl(url), from } }
  } catch (error) {
    check('SMTP_URL', false, (error as Error).message)
    return { mail: null }
  }
}
