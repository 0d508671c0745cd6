import { smtpSender, verifySmtp } from '../../mail/smtp.js'
import { type Advice, type Finding, problem, reasonOf } from '../finding.js'
import type { Installation } from '../installation.js'
import { installationTexts } from './installation-texts.js'

const m = installationTexts.mail
const SEND_MS = 9000

/** Whether the mail server accepts our password, and a message if one was requested. */
export async function checkMail({ settings, mailTo }: Installation): Promise<Finding[]> {
  const { mail, baseUrl } = settings
  if (!mail) return mailTo ? [problem(m.none)] : []
  const options = { ...mail, name: new URL(baseUrl).hostname }
  try {
    if (!mailTo) await verifySmtp(options)
    else {
      const message = { to: mailTo, subject: m.test.subject, text: m.test.text(baseUrl) }
      await smtpSender(options)(message, AbortSignal.timeout(SEND_MS))
    }
    return []
  } catch (error) {
    return [
      problem(refused(`${mail.server.host}:${mail.server.port}`, mail.from.address, mailTo ?? '', error)),
    ]
  }
}

function refused(server: string, sender: string, to: string, error: unknown): Advice {
  const { code, command, response } = error as { code?: string; command?: string; response?: string }
  if (code === 'EAUTH') return m.password(server)
  const reason = (response ?? reasonOf(error)).slice(0, 200)
  if (command === 'MAIL FROM') return m.sender(server, sender, reason)
  return command === 'RCPT TO' ? m.recipient(server, to, reason) : m.refuses(server, reason)
}
