import type { Mail, SendMail } from './mail.js'
import type { MailFrom, SmtpServer } from './smtp-url.js'

/** Maximum silence of a server. The outbox limits the whole attempt. */
const SILENCE_MS = 10_000

interface SmtpOptions {
  server: SmtpServer
  from: MailFrom
  /** How the service introduces itself to the server: its host name. */
  name: string
}

/**
 * Sends mail to a server. A password is sent over TLS only, to a server with a valid certificate. Without a password,
 * TLS is used if the server offers it, with any certificate (RFC 7435): an attacker who could forge one could also hide
 * that the server offers TLS.
 */
export function smtpSender({ server, from, name }: SmtpOptions): SendMail {
  const options = connectionOptions(server, name)
  return async ({ to, subject, text }: Mail, signal: AbortSignal) => {
    // Loaded with the first message: most services send none.
    const { createTransport } = await import('nodemailer')
    await createTransport(options).sendMail({
      from,
      to: { name: '', address: to },
      subject,
      text,
      textEncoding: 'quoted-printable',
      // Prevents automatic replies (RFC 3834 §5).
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal,
    })
  }
}

/** Whether the server answers and accepts our password. Sends nothing. @throws errors of nodemailer */
export async function verifySmtp({ server, name }: Omit<SmtpOptions, 'from'>): Promise<void> {
  const { createTransport } = await import('nodemailer')
  await createTransport(connectionOptions(server, name)).verify()
}

function connectionOptions({ auth, ...address }: SmtpServer, name: string) {
  return {
    ...address,
    name,
    ...(auth ? { auth, requireTLS: true } : { tls: { rejectUnauthorized: address.secure } }),
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** The log message of a failure: without text of the server, which may repeat the message. */
export function describeFailure(error: unknown): Record<string, unknown> {
  const { code, responseCode, command } = Object(error) as Record<string, unknown>
  return { code, responseCode, command }
}

/** Whether trying again is useless: the server refused permanently (RFC 5321 §4.2.1), or nothing could be sent to it. */
export function isPermanent(error: unknown): boolean {
  const { code, responseCode } = Object(error) as Record<string, unknown>
  return typeof responseCode === 'number' ? responseCode >= 500 : code === 'EENVELOPE'
}
