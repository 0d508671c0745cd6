import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Test } from 'tap'

/** A message as the server received it. */
export interface ReceivedMail {
  /** Of the envelope. */
  to: string[]
  /** Whether it came over TLS. */
  isSecure: boolean
  /** With lower-cased names. */
  headers: Map<string, string>
  text: string
  raw: string
}

/** A mail server on 127.0.0.1 that accepts everything, unless `options` change that. */
export async function startMailServer(t: Test, options: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    // Without TLS the server would refuse the password, and the tests of TLS want to see it.
    disabledCommands: options.secure || options.key ? [] : ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ to, isSecure: session.secure, ...read(Buffer.concat(chunks).toString('utf8')) })
        done()
      })
    },
    ...options,
  })
  // Clients that disconnect in the middle.
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  t.teardown(() => new Promise<void>(resolve => server.close(resolve)))
  const { port } = listening.address() as AddressInfo
  return {
    port,
    mails,
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Safes <safes@safes.example>' },
  }
}

function read(raw: string) {
  const [head = '', ...body] = raw.split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = new Map(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  return { raw, headers, text: decodeQuotedPrintable(body.join('\r\n\r\n')) }
}

/** RFC 2045 §6.7. */
function decodeQuotedPrintable(text: string): string {
  const octets = text.replace(/=\r\n/g, '').replace(/=([\dA-F]{2})/g, (_, hex) => `%${hex}`)
  return decodeURIComponent(octets.replace(/%(?![\dA-F]{2})/g, '%25')).replaceAll('\r\n', '\n')
}
