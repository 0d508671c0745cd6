// Sends a message to each `SMTP_URL` of the command line, and prints the results.
import { describeFailure, smtpSender } from '../../../domain/mail/smtp.js'
import { parseSmtpUrl } from '../../../domain/mail/smtp-url.js'

const outcomes = []
for (const url of process.argv.slice(2)) {
  const send = smtpSender({
    server: parseSmtpUrl(url),
    from: { name: '', address: 'safes@safes.example' },
    name: 'safes.example',
  })
  const mail = { to: 'ann@example.org', subject: 'Test', text: 'Text' }
  outcomes.push(
    await send(mail, AbortSignal.timeout(20_000)).then(
      () => 'sent',
      error => describeFailure(error),
    ),
  )
}
process.send?.(outcomes, () => process.disconnect())
